"""The contract kit: what every game must do, checked on whole plays. One kit for all; it names no game.

Each check takes a `Play` and says in words what is wrong. `CHECKS` is the list of them. What needs other
plays beside it stands apart: `twins` (no leak) and `coverage` (everything declared occurs).
"""

from __future__ import annotations

from collections.abc import Callable

from tests.contract import course, decisions, news
from tests.contract.playing import Play

CHECKS: tuple[Callable[[Play], None], ...] = (
    course.the_record_is_whole,
    decisions.legal_is_accepted_and_on_the_menu,
    decisions.menus_are_right,
    decisions.checks_are_no_probes,
    decisions.what_is_accepted_is_on_the_menu,
    decisions.refusals_can_be_said,
    decisions.order_codes_hold_for_the_turn,
    decisions.defaults_are_legal,
    course.apply_leaves_its_input_alone,
    news.data_survives_the_wire,
    course.replays_give_the_log,
    news.views_can_be_imagined,
    decisions.what_is_sure_happens,
    course.nothing_is_lost,
    news.reports_are_fit_to_mail,
    news.news_shows_no_more_than_it_should,
    course.somebody_is_always_next,
    course.draws_are_fair,
    course.automatic_answers_are_owned_up_to,
    news.positions_can_be_placed,
    decisions.cuts_change_nothing,
)
