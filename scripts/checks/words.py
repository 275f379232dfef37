"""README, AGENTS.md, the pages of docs/, the skills and `--help` are in plain English, as docs/WRITING.md asks for.

A fault is a sentence that opens with a word of OPENINGS, has a phrase of PHRASES, or, in README, has more than
MOST_WORDS words. scripts/checks/words.txt has the number of faults that each page still has. More faults are a problem, and fewer faults too,
so that the number is lowered with the page. A page without a row may have none.
"""
import re
import subprocess

from checks.sources import all_files, text

ALLOWED = "scripts/checks/words.txt"
OPENINGS = re.compile(r"(?:What|Of|The same|Where|As|Which|Who|Whoever)\b")
PHRASES = re.compile(r"\b(held against|holds? .{1,60} against|likewise|of those|what is|stands?|lies|lie|such)\b")
MOST_WORDS = 25
STRICT = ["README.md", "docs/README.md", "docs/WRITING.md"]  # sentences of at most MOST_WORDS words
GENERATED = {"docs/ops.md", "docs/behaviours.md"}
EXAMPLES = {"docs/WRITING.md"}  # quotes the words that it forbids
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def problems(root, build):
    allowed = allowances(root)
    found = []
    counts = {page: faults(page, text(root, page)) for page in pages(root)}
    counts |= {name: faults(name, said) for name, said in helps(root / build)}
    for name, wrong in counts.items():
        most = allowed.pop(name, 0)
        if len(wrong) > most:
            found += [f"{line} (docs/WRITING.md)" for line in wrong[:20]]
            found.append(f"{name}: {len(wrong)} sentences are not plain, {ALLOWED} allows {most}")
        elif len(wrong) < most:
            found.append(f"{ALLOWED}: {name} has {len(wrong)} of them left: write {len(wrong)} instead of {most}")
    return found + [f"{ALLOWED}: there is no {name}" for name in allowed if name.endswith(".md")]


def pages(root):
    return [p for p in all_files(root) if re.fullmatch(r"README\.md|AGENTS\.md|docs/.*\.md|skills/.*\.md", p) and p not in GENERATED]


def allowances(root):
    rows = [line.rsplit(None, 1) for line in text(root, ALLOWED).splitlines() if line and not line.startswith("#")]
    return {name: int(count) for name, count in rows}


def helps(build):
    """(`ersatz COMMAND --help`, its text) of each command, where the program is built."""
    program = build / "bin/ersatz"
    if not program.exists():
        return
    main = said_by(program)
    yield "ersatz --help", main
    for command in re.findall(r"^  ([a-z]+) {2,}", main, re.M):
        yield f"ersatz {command} --help", said_by(program, command)


def said_by(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True).stdout


def sentences(page, source):
    """(line, sentence) of the running text, without code and headings. Each table cell is a separate text."""
    inside_code, paragraph, start = False, [], 0
    for number, line in enumerate([*source.splitlines(), ""], 1):
        if line.startswith("```"):
            inside_code = not inside_code
        new = inside_code or line.startswith(("```", "#", "    ", "|", "- ", "* ")) or not line.strip()
        if new and paragraph:
            yield from split(start, " ".join(paragraph))
            paragraph = []
        if inside_code or line.startswith(("```", "#")) or line.startswith("    ") and page.endswith(".md"):
            continue
        if line.startswith("|"):
            for cell in line.strip("|").split("|"):
                yield from split(number, cell.strip())
        elif line.strip():
            start = start if paragraph else number
            paragraph.append(line.strip().lstrip("-* "))


def split(number, paragraph):
    plain = LINK.sub(r"\1", CODE.sub("X", paragraph)).replace("**", "").replace("e.g.", "eg")
    for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z])", plain):
        if sentence:
            yield number, sentence


def faults(page, source):
    found = []
    for number, sentence in sentences(page, source):
        words = len(sentence.split())
        phrase = PHRASES.search(sentence) if page not in EXAMPLES else None
        if OPENINGS.match(sentence) and not sentence.endswith("?") and page not in EXAMPLES:
            found.append(f"{page}:{number}: opens with {OPENINGS.match(sentence)[0]!r}: {sentence[:90]}")
        elif phrase:
            found.append(f"{page}:{number}: {phrase[0]!r}: {sentence[:90]}")
        elif page in STRICT and words > MOST_WORDS:
            found.append(f"{page}:{number}: {words} words: {sentence[:90]}")
    return found
