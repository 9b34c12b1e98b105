"""Modules that lie in folders become one script that does the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pbem.desk import bundle as modules
from tests.pages.node import program

MODULES = {
    "pbem/a/main.mjs": 'import { one as first, two } from "./part/one.mjs";\nimport * as say from "../b/say.mjs";\n'
    "export const told = () => say.hello(first, two);\n",
    "pbem/a/part/one.mjs": 'import { hello } from "../../b/say.mjs";\nconst own = 1;\n'
    "export async function* many() {}\nexport const one = 1;\nexport { own as two, hello };\n",
    "pbem/b/say.mjs": "export function hello(a, b) {\n  return `${a} ${b}`;\n}\n",
}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    files = dict(MODULES)
    monkeypatch.setattr(modules, "source", files.__getitem__)
    modules.bundle.cache_clear()
    return files


def test_each_module_is_run_once_with_what_it_needs(told: dict[str, str]) -> None:
    script = modules.bundle("pbem/a/main.mjs", "pbem/b/say.mjs")
    assert script.count("const module_pbem_b_say = ") == 1
    name = modules.name_of("pbem/a/main.mjs")
    done = subprocess.run(
        [program(), "-e", f"{script}\nconsole.log({name}.told())"], capture_output=True, check=True
    )
    assert done.stdout == b"1 1\n"


@pytest.mark.parametrize(
    "line",
    ["export default 1;\n", 'import "./x.mjs";\n', 'import a from "./one.mjs";\n', "export let a = 1;\n"],
)
def test_another_form_is_refused(told: dict[str, str], line: str) -> None:
    told["pbem/a/part/one.mjs"] += line
    with pytest.raises(ValueError, match=r"pbem/a/part/one\.mjs: "):
        modules.bundle("pbem/a/main.mjs")


def test_a_circle_is_refused(told: dict[str, str]) -> None:
    told["pbem/b/say.mjs"] = 'import { told } from "../a/main.mjs";\n' + told["pbem/b/say.mjs"]
    with pytest.raises(ValueError, match="imports itself"):
        modules.bundle("pbem/a/main.mjs")


def test_the_modules_of_the_page_are_there() -> None:
    assert modules.is_there("pbem/desk/js/say.mjs")
    assert not modules.is_there("pbem/desk/js/nothing.mjs")
    assert (Path(__file__).parents[2] / "pbem/desk/js/say.mjs").read_text() == modules.source(
        "pbem/desk/js/say.mjs"
    )
