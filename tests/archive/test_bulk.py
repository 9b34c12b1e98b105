"""Many archives: folders, processes, results written and taken up again; one bad file never stops the rest."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.audit import bulk
from pbem.audit.bulk import known_from
from pbem.cli.audit_crew import WINDOW, in_processes
from pbem.cli.audit_work import walk
from tests.archive.dying import work_or_die
from tests.archive.games import lines, small, tiny
from tests.archive.run import json_lines, pbem

ROOT = Path(__file__).resolve().parents[2]
MANY = 300
# A suite that was started in the background is deaf to Ctrl-C, and would hand that on.
HEARING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from pbem.cli import main
main()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good and bad files in folders of folders."""
    home = tmp_path / "archives"
    (home / "b" / "c").mkdir(parents=True)
    (home / "a.pbem").write_bytes(tiny())
    (home / "b" / "bad.pbem").write_bytes(tiny().replace(b'"n":1', b'"n":7', 1))
    (home / "b" / "c" / "cut.pbem").write_bytes(b"".join(lines(small())[:9]))
    (home / "b" / "empty.pbem").write_bytes(b"")
    (home / "b" / "noise.pbem").write_bytes(bytes(range(256)) * 99)
    (home / "b" / "text.txt").write_text("no archive")
    (home / "z.pbem").write_bytes(tiny())
    return home


VERDICTS = {
    "a.pbem": "sound",
    "b/bad.pbem": "fault",
    "b/c/cut.pbem": "unfinished",
    "b/empty.pbem": "fault",
    "b/noise.pbem": "fault",
    "z.pbem": "sound",
}


def verdicts(folder: Path, results: Path) -> dict[str, str]:
    found = json_lines(results.read_bytes())
    assert [one["file"] for one in found] == sorted(one["file"] for one in found)
    return {str(Path(one["file"]).relative_to(folder)): one["verdict"] for one in found}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_folder_is_walked_and_results_come_in_order(folder: Path, tmp_path: Path, jobs: str) -> None:
    results = tmp_path / "r.jsonl"
    result = pbem("audit", folder, "--jobs", jobs, "--jsonl", results)
    assert result.exit_code == 1
    assert verdicts(folder, results) == VERDICTS
    assert "6 files: 2 sound, 1 unfinished, 3 with faults, 0 not audited" in result.output
    assert "a.pbem" not in result.output, "with results in a file, only what is not sound is told"
    first = json_lines(results.read_bytes())[0]
    assert (first["size"], first["records"]) == (len(tiny()), 4)
    assert {"mtime", "sha256", "game", "host_key", "result"} <= first.keys()


def test_results_are_the_same_by_one_process_or_two(folder: Path) -> None:
    assert ok_or_not("--jobs", "1", folder) == ok_or_not("--jobs", "2", folder)


def ok_or_not(*arguments: str | Path) -> str:
    return pbem("audit", *arguments, "--json").output


def test_without_results_in_a_file_every_file_has_its_line(folder: Path) -> None:
    output = pbem("audit", folder).output
    for name in VERDICTS:
        assert f"{folder}/{name}: " in output


def test_files_that_cannot_be_audited_do_not_stop_the_rest(folder: Path, tmp_path: Path) -> None:
    (folder / "loop.pbem").symlink_to(folder / "loop.pbem")
    (folder / "folder.pbem").mkdir()
    os.mkfifo(folder / "pipe.pbem")
    with (folder / "huge.pbem").open("wb") as file:
        file.truncate(bulk.MOST_BYTES + 1)
    odd = os.fsencode(folder) + b"/\xff\x1b.pbem"
    with open(odd, "wb") as file:
        file.write(tiny())
    results = tmp_path / "r.jsonl"
    assert pbem("audit", folder, tmp_path / "nothing.pbem", "--jsonl", results, "--jobs", "2").exit_code == 1
    found = {Path(one["file"]).name: one for one in json_lines(results.read_bytes())}
    assert found["loop.pbem"]["verdict"] == found["nothing.pbem"]["verdict"] == "unreadable"
    assert found["pipe.pbem"]["code"] == "archive/not-a-file"
    assert found["huge.pbem"]["code"] == "archive/too-long"
    assert found["\\xff\x1b.pbem"]["verdict"] == "sound"
    assert found["z.pbem"]["verdict"] == "sound"
    assert "\x1b" not in pbem("audit", folder).output


def test_a_process_that_dies_costs_its_file_and_nothing_else(tmp_path: Path) -> None:
    names = ["a", "killed-1", "b", "gone-1", "slow-1", "killed-2", "c", "d"]
    for name in names:
        (tmp_path / f"{name}.pbem").write_bytes(tiny())
    paths = [str(tmp_path / f"{name}.pbem") for name in names]
    found = list(in_processes(paths, 2, work_or_die))
    assert [Path(one.file).stem for one in found] == names
    told = {Path(one.file).stem: one for one in found}
    for name in ("killed-1", "gone-1", "killed-2"):
        problem = told[name].problem
        assert problem is not None
        assert problem.code == "archive/died"
    assert {one.verdict for name, one in told.items() if name[0] in "abcds"} == {"sound"}
    assert told["killed-1"].problem is not None
    assert told["killed-1"].problem.args["problem"] == "SIGKILL"


def test_only_a_window_of_files_is_under_way(tmp_path: Path) -> None:
    """A slow file at the front holds back those behind it: that is what keeps memory the same for any number."""
    (tmp_path / "slow-1.pbem").write_bytes(tiny())
    (tmp_path / "x.pbem").write_bytes(tiny())
    taken = 0

    def paths() -> Iterator[str]:
        nonlocal taken
        for number in range(WINDOW * 2 + 300):
            taken += 1
            yield str(tmp_path / ("x.pbem" if number else "slow-1.pbem"))

    findings = in_processes(paths(), 2, work_or_die)
    next(findings)
    assert taken <= 2 * WINDOW + 1
    findings.close()  # type: ignore[attr-defined]


def test_an_audit_is_taken_up_where_it_stopped(folder: Path, tmp_path: Path) -> None:
    results, whole = tmp_path / "r.jsonl", tmp_path / "whole.jsonl"
    pbem("audit", folder, "--jsonl", whole)
    rows = whole.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join(rows[:3]) + rows[3][:40])
    result = pbem("audit", folder, "--jsonl", results, "--resume")
    assert results.read_bytes() == whole.read_bytes()
    assert "3 as they were at the last audit" in result.output
    assert result.exit_code == 1
    again = pbem("audit", folder, "--jsonl", results, "--resume")
    assert "6 as they were" in again.output
    assert again.exit_code == 1, "what was found earlier still counts"
    assert results.read_bytes() == whole.read_bytes()


def test_a_file_that_changed_is_audited_again(folder: Path, tmp_path: Path) -> None:
    results = tmp_path / "r.jsonl"
    pbem("audit", folder, "--jsonl", results)
    changed = folder / "a.pbem"
    before = changed.stat()
    same_size = tiny().replace(b'"n":1', b'"n":5', 1)
    changed.write_bytes(same_size)
    os.utime(changed, ns=(before.st_atime_ns, before.st_mtime_ns))
    (folder / "z.pbem").touch()
    result = pbem("audit", folder, "--jsonl", results, "--resume")
    assert "4 as they were" in result.output
    newest = {one.file: one for one in known_from(results.read_bytes().splitlines())}
    assert newest[str(changed)].verdict == "fault", "same size and time, other bytes"
    assert newest[str(folder / "z.pbem")].verdict == "sound"


def test_results_of_something_else_are_passed_over(folder: Path, tmp_path: Path) -> None:
    results = tmp_path / "r.jsonl"
    results.write_bytes(b'{"file":3}\nnull\n\xff\n{"file":"x","verdict":"odd"}\n')
    assert pbem("audit", folder, "--jsonl", results, "--resume").exit_code == 1
    assert len(results.read_bytes().splitlines()) == 4 + len(VERDICTS)
    assert "archive/resume" in pbem("audit", folder, "--resume").output


def test_results_that_cannot_be_written_are_told_by_their_file(folder: Path) -> None:
    result = pbem("audit", folder, "--jsonl", "/dev/full")
    assert (result.exit_code, "/dev/full" in result.output) == (2, True), result.output


def test_a_folder_without_archives_is_no_success(tmp_path: Path) -> None:
    assert pbem("audit", tmp_path).exit_code == 2


def test_single_files_are_as_they_always_were(folder: Path) -> None:
    result = pbem("audit", folder / "a.pbem", folder / "z.pbem")
    assert result.exit_code == 0
    assert [line.partition(": sound: ")[0] for line in result.output.splitlines()] == [
        str(folder / "a.pbem"),
        str(folder / "z.pbem"),
    ]
    assert pbem("audit", folder / "b" / "c" / "cut.pbem").exit_code == 3
    missing = pbem("audit", folder / "none.pbem", "--json")
    assert missing.exit_code == 2
    assert json_lines(missing.output)[0]["problem"] == "No such file or directory"


def test_a_single_name_may_not_be_one_that_never_ends(folder: Path) -> None:
    """From `pbem audit *.pbem` in a folder that somebody else packed: it waited at a pipe, and read a device for ever."""
    (folder / "zero.pbem").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.pbem")
    found = json_lines(
        pbem("audit", folder / "zero.pbem", folder / "pipe.pbem", folder / "a.pbem", "--json").output
    )
    assert [one.get("code") for one in found] == ["archive/not-a-file", "archive/not-a-file", None]


def test_a_pipe_that_the_shell_has_opened_is_read() -> None:
    program = [sys.executable, "-c", "from pbem.cli import main; main()", "audit", "/dev/stdin"]
    done = subprocess.run(program, cwd=ROOT, input=tiny(), capture_output=True, check=False)
    assert (done.returncode, done.stdout.count(b"/dev/stdin: sound")) == (0, 1), done.stderr


def test_no_more_processes_than_files(tmp_path: Path) -> None:
    """`--jobs 100000` began as many before it gave out the first file."""
    (tmp_path / "x.pbem").write_bytes(tiny())
    others = set(multiprocessing.active_children())
    found = in_processes([str(tmp_path / "x.pbem")] * 2, 50)
    assert next(iter(found)).verdict == "sound"
    assert len(set(multiprocessing.active_children()) - others) <= 2
    assert [one.verdict for one in found] == ["sound"]
    assert pbem("audit", tmp_path, "--jobs", "100000").exit_code == 2


@pytest.mark.needs("cluster")
@pytest.mark.parametrize("address", ["foo://bar", "tcp://", "nothing"])
def test_what_is_no_address_is_said_without_a_traceback(folder: Path, address: str) -> None:
    program = [
        sys.executable,
        "-c",
        "from pbem.cli import main; main()",
        "audit",
        str(folder),
        "--scheduler",
        address,
    ]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "archive/scheduler" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_walk_is_in_order_and_takes_names_as_they_are(folder: Path) -> None:
    found = [str(Path(path).relative_to(folder)) for path in walk([folder])]
    assert found == list(VERDICTS)
    assert list(walk([folder / "b" / "text.txt"])) == [str(folder / "b" / "text.txt")]


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_an_audit_that_is_stopped_goes_on_later(tmp_path: Path, how: signal.Signals, code: int) -> None:
    """Ctrl-C ended with 1, as if there were faults; whatever stops it, whole results are kept and none is lost."""
    for number in range(MANY):
        (tmp_path / f"{number:03}.pbem").write_bytes(tiny())
    results = tmp_path / "r.jsonl"
    arguments = ["audit", str(tmp_path), "--jobs", "2", "--jsonl", str(results)]
    program = [sys.executable, "-c", HEARING, *arguments]
    begun = subprocess.Popen(program, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (results.exists() and results.read_bytes().count(b"\n") > 3):
        time.sleep(0.01)
    os.killpg(begun.pid, how)
    said = begun.communicate()[1]
    assert begun.returncode == code
    assert "Traceback" not in said
    assert results.read_bytes().count(b"\n") < MANY, "too late to be a test"
    assert ("--resume" in said) == (how == signal.SIGINT)
    assert pbem(*arguments, "--resume").exit_code == 0
    assert len({one["file"] for one in json_lines(results.read_bytes())}) == MANY


def test_a_bar_is_drawn_at_a_terminal(folder: Path) -> None:
    """Run at a pseudo-terminal, because that is what it asks for."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from pbem.cli import main; main()", "audit", str(folder), "--jobs", "2"]
    done = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, cwd=ROOT)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 65_536):
            shown += chunk
    except OSError:
        assert shown, "the terminal closed before anything was drawn"
    os.close(ours)
    assert done.wait() == 1
    assert b"auditing" in shown
    assert b"100%" in shown


@pytest.mark.needs("cluster")
def test_a_cluster_of_two_workers_gives_the_same_results(folder: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.jsonl"
    pbem("audit", folder, "--jsonl", alone)
    address = tmp_path / "scheduler.json"
    there = ["--scheduler-file", str(address)]
    scheduler = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *there)
    workers = [dask("worker", "--no-dashboard", "--nthreads", "1", *there, cwd=tmp_path) for _ in range(2)]
    try:
        url = wait_for(address, workers=2)
        spread = tmp_path / "spread.jsonl"
        command = ["audit", str(folder), "--jsonl", str(spread), "--scheduler", url]
        program = [sys.executable, "-c", "from pbem.cli import main; main()", *command]
        done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 1, done.stderr
        assert spread.read_bytes() == alone.read_bytes()
    finally:
        for process in (*workers, scheduler):
            process.terminate()
            process.wait()


def dask(what: str, *arguments: str, cwd: Path = ROOT) -> subprocess.Popen[bytes]:
    program = f"import sys; sys.argv[0] = 'dask-{what}'; from distributed.cli.dask_{what} import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-c", program, *arguments]
    return subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def wait_for(file: Path, workers: int) -> str:
    """The scheduler's address, once so many workers have joined it."""
    program = (
        "import sys; from distributed import Client\n"
        "client = Client(scheduler_file=sys.argv[1], timeout=60)\n"
        "client.wait_for_workers(int(sys.argv[2]), timeout=60)\n"
        "print(client.scheduler.address)\n"
        "client.close()"
    )
    for _ in range(600):
        if file.exists():
            break
        time.sleep(0.1)
    command = [sys.executable, "-W", "ignore", "-c", program, str(file), str(workers)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout.split()[-1]


@pytest.mark.needs("cluster")
def test_a_scheduler_that_is_not_there_is_said_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.cli import audit_cluster

    monkeypatch.setattr(audit_cluster, "PATIENCE", 0.2)
    result = pbem("audit", folder, "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "archive/scheduler" in result.output


def test_without_dask_it_is_said_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.cli import audit_cluster

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(audit_cluster, "import_module", missing)
    result = pbem("audit", folder, "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "archive/cluster-missing" in result.output
