"""Compares the sessions in docs/jobs/*.md and docs/symbols.md with the present output of the commands.

    tests/doc_sessions/pages_test.py PROGRAM [--data FOLDER] [--write] [PAGE.md...]

A page has ```console blocks. A line that begins with "$ " is a command; if it ends with a backslash, it continues in the next line. The lines
after it are its exact output, stdout and stderr together; a line "..." matches any lines. The commands of a page run one after the other, with
PROGRAM as `ersatz`, in a folder of the page's own that shows all files of the repository. In the output, the path of the data folder
(ERSATZ_DATA in the environment, or --data) is replaced by ERSATZ_DATA. A command whose data are missing is skipped and counted.
A page of which no command can run is skipped as a whole. A page without a command is an error.

--write puts the present output into the pages, in blocks without "...". Read the diff before you commit it.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 300  # of one command


class Step:
    """A command of a page with what it should print."""

    def __init__(self, command, line):
        self.command, self.line, self.expected = command, line, []


def steps_of(text):
    """Returns the commands of a page in order. Raises ValueError for output without a command."""
    steps, block, continued = [], None, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            block = [] if block is None and line.strip() == "```console" else None
            if line.strip() != "```" and block is None:
                block = False  # inside of a block of another kind, until its end
            continued = False
        elif not isinstance(block, list):
            continue
        elif continued:
            block[-1].command += "\n" + line
            continued = line.endswith("\\")
        elif line.startswith("$ "):
            block.append(Step(line[2:], number))
            steps.append(block[-1])
            continued = line.endswith("\\")
        elif not block:
            raise ValueError(f"line {number}: output without a command")
        else:
            block[-1].expected.append(line)
    return steps


def matches(expected, printed):
    """Returns whether the printed lines are the expected ones. "..." matches any number of lines."""
    pieces, piece = [], []
    for line in expected:
        if line.strip() == "...":
            pieces.append(piece)
            piece = []
        else:
            piece.append(line)
    pieces.append(piece)
    if len(pieces) == 1:
        return printed == pieces[0]
    first, *middle, last = pieces
    if len(printed) < len(first) + len(last) or printed[:len(first)] != first:
        return False
    end = len(printed) - len(last)
    if printed[end:] != last:
        return False
    at = len(first)
    for piece in middle:
        while at + len(piece) <= end and printed[at:at + len(piece)] != piece:
            at += 1
        if at + len(piece) > end:
            return False
        at += len(piece)
    return True


def difference(expected, printed):
    """Returns the first line that differs, as text for people."""
    for i in range(max(len(expected), len(printed))):
        want = expected[i] if i < len(expected) else "(nothing)"
        have = printed[i] if i < len(printed) else "(nothing)"
        if want != have:
            return f"  page:    {want}\n  printed: {have}"
    return "  the lines between two \"...\" are not printed"


class Session:
    """Runs the commands of one page."""

    def __init__(self, program, data):
        self.folder = tempfile.TemporaryDirectory()
        at = pathlib.Path(self.folder.name)
        (at / "bin").mkdir()
        (at / "bin/ersatz").symlink_to(program)
        (at / "work").mkdir()
        for entry in ROOT.iterdir():
            if not entry.name.startswith("."):
                (at / "work" / entry.name).symlink_to(entry)
        self.work, self.data = at / "work", data
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("ERSATZ_")}
        self.environment |= {"PATH": f"{at}/bin:{os.environ['PATH']}", "NO_COLOR": "1", "COLUMNS": "200", "LC_ALL": "C.UTF-8"}
        if data:
            self.environment["ERSATZ_DATA"] = data

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def can_run(self, command):
        """Returns whether the data of the command exist: each path below $ERSATZ_DATA."""
        named = re.findall(r"\$\{?ERSATZ_DATA\}?(/[\w./-]*)?", command)
        return not named or bool(self.data) and all(os.path.exists(self.data + path) for path in named)

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
        text = done.stdout.decode(errors="replace")
        return (text.replace(self.data, "$ERSATZ_DATA") if self.data else text).splitlines()


def check_page(page, program, data):
    """Runs the commands of a page. Returns (commands that ran, commands skipped, problems as lines)."""
    try:
        steps = steps_of(page.read_text())
    except ValueError as error:
        return 0, 0, [f"{page.name}: {error}"]
    if not steps:
        return 0, 0, [f"{page.name}: has no command in a ```console block"]
    ran, skipped, wrong = 0, 0, []
    with Session(program, data) as session:
        for step in steps:
            if not session.can_run(step.command):
                skipped += 1
                continue
            ran += 1
            printed = session.run(step.command)
            if not matches(step.expected, printed):
                wrong.append(f"{page.name}:{step.line}: $ {step.command}\n{difference(step.expected, printed)}")
    return ran, skipped, wrong


def write_page(page, program, data):
    """Replaces the output of each command by the present one, if the page has the whole output."""
    lines, printed = page.read_text().splitlines(), []
    with Session(program, data) as session:
        for step in steps_of(page.read_text()):
            if session.can_run(step.command):
                printed.append((step, session.run(step.command)))
    for step, text in reversed(printed):
        if "..." not in step.expected:
            begin = step.line + step.command.count("\n")
            lines[begin:begin + len(step.expected)] = text
    page.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    parser.add_argument("--data", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    data = os.environ.get("ERSATZ_DATA") or options.data
    data = os.path.abspath(data) if data and os.path.isdir(data) else ""
    program = options.program.resolve()
    pages = options.pages or sorted((ROOT / "docs/jobs").glob("*.md")) + [ROOT / "docs/symbols.md"]
    if not pages:
        sys.exit("pages: docs/jobs has no page")
    passed = failed = skipped_pages = skipped_commands = 0
    for page in pages:
        if options.write:
            write_page(page, program, data)
        ran, skipped, wrong = check_page(page, program, data)
        skipped_commands += skipped
        print(f"{page.name}: {ran} commands ran, {skipped} skipped for want of data, {len(wrong)} wrong")
        for text in wrong:
            print(text)
        if wrong:
            failed += 1
        elif ran:
            passed += 1
        else:
            skipped_pages += 1
    # Printed in GoogleTest's form, so that scripts/test can add up the counts.
    print(f"[  PASSED  ] {passed} tests.")
    if skipped_pages:
        print(f"[  SKIPPED ] {skipped_pages} tests, listed below: pages whose data are not there")
    if failed:
        print(f"[  FAILED  ] {failed} tests, listed below: pages that do not say what is printed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
