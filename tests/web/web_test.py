"""ersatz in a web page has the output of the native program.

    tests/web/web_test.py PROGRAM WEB

PROGRAM is the native program, WEB the build tree of `make web`. Under node, each command that reads texts runs on each text of tests/data.
Its stdout, stderr and exit status must equal PROGRAM's, byte for byte. In a headless Chromium, which opens the page as a file, a text is typed
into the page and a button is clicked: the page must show what PROGRAM prints. The test is skipped, with the reason, if the page was not built or
is older than the sources, or if there is no node or no Chromium.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from doc_sessions.browser_test import browser  # noqa: E402
from web.page_in_browser import Page  # noqa: E402

NAME = "pasted.txt"
PARTS = ["runtime", "kernels", "fake", "tracer", "tools", "web", "cmake", "docs/data"]  # the folders from which the page is made
COMMANDS = [[], ["explain"], ["crosscheck", "--no-real"], ["show"], ["show", "--python"], ["fake"], ["fake", "--device", "cuda", "--backend", "sm_90"],
            ["crosscheck", "--no-real", "--json"], ["crosscheck", "--no-real", "--device", "cuda"]]
LINES = [["--help"], ["--version"], ["ops"], ["explain", "aten.add.Tensor", "f32[2,3]{1,2}, f32[3]"], ["crosscheck", "missing.txt"], ["crosscheck", "--nothing"]]


def texts():
    return sorted(p for folder in ("messages", "pasted") for p in (ROOT / "tests/data" / folder).iterdir())


def cases(paths):
    """Returns {line, files} for each command on each text, and for the commands that need no text."""
    for path in paths:
        for command in COMMANDS:
            yield {"line": [*command[:1], NAME, *command[1:]], "files": {NAME: str(path)}}
    yield from ({"line": line, "files": {}} for line in LINES)


def of_program(program, case):
    with tempfile.TemporaryDirectory() as folder:
        for name, path in case["files"].items():
            shutil.copyfile(path, pathlib.Path(folder, name))
        # The page has no recorded calls, so those of this machine must not be used.
        without_data = {name: value for name, value in os.environ.items() if name != "ERSATZ_DATA"}
        done = subprocess.run([program, *case["line"]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, env=without_data)
    return {"status": done.returncode, "output": done.stdout, "errors": done.stderr}


def of_page(node, web, cases):
    done = subprocess.run([node, ROOT / "tests/web/run_cases.js", web], input=json.dumps(cases), text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"node: {done.stderr}")
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        yield {"status": answer["status"], **{k: base64.b64decode(answer[k]) for k in ("output", "errors")}}


def first_difference(ours, theirs):
    for a, b in zip(ours.splitlines() + [b"(ends)"], theirs.splitlines() + [b"(ends)"]):
        if a != b:
            return f"page: {a.decode(errors='replace')[:300]}\n    program: {b.decode(errors='replace')[:300]}"
    return "the same lines, other line ends"


def differences(program, node, web, paths):
    """Returns the number of cases that were compared, and the differences, one text each."""
    asked = list(cases(paths))
    answers = list(of_page(node, web, asked))
    found = [f"{len(asked)} cases were given to node, and {len(answers)} answered"] if len(answers) != len(asked) else []
    for case, page in zip(asked, answers):
        want = of_program(program, case)
        at = f"ersatz {' '.join(case['line'])}, {NAME} is {case['files'].get(NAME, 'nothing')}"
        if page["status"] != want["status"]:
            found.append(f"{at}: exit status {page['status']} in the page, {want['status']} of the program: {page['errors'].decode(errors='replace')[:200]}")
        found += [f"{at}: {stream} differs\n    {first_difference(page[stream], want[stream])}" for stream in ("output", "errors") if page[stream] != want[stream]]
    return len(asked), found


def shown_differences(program, chromium, web):
    """Pastes a text, clicks, and returns the differences between the shown answer and the program's."""
    found = []
    with Page(chromium, (web / "ersatz.html").as_uri()) as page:
        for text, line in ((ROOT / "tests/data/messages/result.txt", ["explain", NAME]),
                           (ROOT / "tests/data/pasted/regions.fx_graph.txt", ["crosscheck", NAME, "--no-real"])):
            page.fill("text", text.read_text(encoding="utf-8"))
            page.click("read")
            page.wait("!document.body.classList.contains('busy') && document.getElementById('status').textContent")
            want = of_program(program, {"line": line, "files": {NAME: text}})
            shown = page.ask("document.getElementById('answer').textContent").encode()
            if shown != want["output"] + want["errors"]:
                found.append(f"the page shows another answer for {text.name}: {first_difference(shown, want['output'] + want['errors'])}")
            status = page.ask("document.getElementById('status').textContent")
            if not status.startswith(f"exit status {want['status']}, "):
                found.append(f"the page says '{status}' for {text.name}, the program ended with {want['status']}")
    return found


def skipped(web, node):
    if not (web / "ersatz.html").exists():
        return f"there is no {web.name}/ersatz.html (make web)"
    if not node:
        return "there is no node (Debian's package nodejs)"
    built = (web / "ersatz.html").stat().st_mtime
    newer = [p for folder in PARTS for p in (ROOT / folder).rglob("*") if p.suffix != ".md" and p.is_file() and p.stat().st_mtime > built]
    return f"{web.name} is older than {newer[0].relative_to(ROOT)} (make web)" if newer else ""


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    program, web, *more = (pathlib.Path(a).resolve() for a in arguments)
    node, chromium = shutil.which("node") or shutil.which("nodejs"), browser()
    if why := skipped(web, node):
        print(f"[  PASSED  ] 0 tests.\n[  SKIPPED ] 2 tests, listed below: the web page: {why}")
        return 0
    compared, wrong = differences(program, node, web, more or texts())
    print(f"web: {compared} runs under node compared with the program's, {len(wrong)} differences")
    passed = int(not wrong)
    if chromium:
        shown = shown_differences(program, chromium, web)
        print(f"web: 2 texts pasted into the page in {chromium}, {len(shown)} differences")
        passed += int(not shown)
        wrong += shown
    print("\n".join(wrong[:100]))
    print(f"[  PASSED  ] {passed} tests.")
    if not chromium:
        print("[  SKIPPED ] 1 test, listed below: the web page in a browser: there is no Chromium (Debian's package chromium)")
    if wrong:
        print(f"[  FAILED  ] {1 + bool(chromium) - passed} tests, listed below: {len(wrong)} answers of the page differ from the program's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
