"""Plain English, as docs/WRITING.md asks for it, in README, in the pages of docs/, in `--help`, and in the comments of code.

A fault is a sentence that opens with a word of OPENINGS, that has a phrase of PHRASES, or that is too long. It is too long with more
than MOST_WORDS words in README, and with more than MOST_IN_COMMENT in a comment. scripts/checks/words.txt has the number of faults that each page or file
still has: more is a problem, and fewer too, so that the number is lowered with the page. A page without a row has none.

A comment above code whose words occur nowhere in that code is no fault: it may give a reason. These comments are listed in
BUILD/distant_comments.txt, for people who look for comments that do not name their thing.
"""
import contextlib
import re
import subprocess

from checks import comments
from checks.sources import all_files, text

ALLOWED = "scripts/checks/words.txt"
OPENINGS = re.compile(r"(?:What|Of|The same|Where|As|Which|Who|Whoever)\b")
PHRASES = re.compile(r"\b(held against|holds? .{1,60} against|likewise|of those|what is|stands?|lies|lie|such)\b")
MOST_WORDS = 25
MOST_IN_COMMENT = 30
STRICT = ["README.md", "docs/README.md", "docs/WRITING.md"]  # files whose sentences have at most MOST_WORDS words
GENERATED = {"docs/ops.md", "docs/behaviours.md"}
EXAMPLES = {"docs/WRITING.md"}  # files that quote the forbidden words
COMMON = {word[:5] for word in "that this these those with from have been which their they them than then when where after before because only "
          "also into each other both same some more most must does done made make will would could should without".split()}
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def problems(root, build):
    allowed = allowances(root)
    found = []
    counts = {page: faults(page, text(root, page)) for page in pages(root)}
    counts |= {name: faults(name, said) for name, said in helps(root / build)}
    counts |= {path: comment_faults(path, source) for path, source in commented(root)}
    for name, wrong in counts.items():
        most = allowed.pop(name, 0)
        if len(wrong) > most:
            found += [f"{line} (docs/WRITING.md)" for line in wrong[:20]]
            found.append(f"{name}: {len(wrong)} sentences are not plain, {ALLOWED} allows {most}")
        elif len(wrong) < most:
            found.append(f"{ALLOWED}: {name} has {len(wrong)} of them left: write {len(wrong)} instead of {most}")
    return found + [f"{ALLOWED}: there is no {name}" for name in allowed if not name.startswith("ersatz ")]


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


def commented(root):
    """(path, text) of each file whose language has comments that the check reads."""
    for path in all_files(root):
        if not path.endswith((".md", ".txt", ".tsv", ".csv", ".json")) or path.endswith("CMakeLists.txt"):
            with contextlib.suppress(UnicodeDecodeError):
                source = text(root, path)
                if comments.language(path, source.partition("\n")[0]):
                    yield path, source


def comment_faults(path, source):
    found = []
    for comment in comments.comments(path, source):
        for line, sentence in comments.sentences(comment.text):
            at = f"{path}:{comment.line + line}"
            # Numbers and signs of a formula do not count as words.
            words = len(re.findall(r"(?<!\S)[(\[]?[A-Za-z]", sentence))
            phrase = PHRASES.search(sentence.lower())
            if OPENINGS.match(sentence) and not sentence.endswith("?"):
                found.append(f"{at}: opens with {OPENINGS.match(sentence)[0]!r}: {sentence[:90]}")
            elif phrase:
                found.append(f"{at}: {phrase[0]!r}: {sentence[:90]}")
            elif words > MOST_IN_COMMENT:
                found.append(f"{at}: {words} words: {sentence[:90]}")
    return found


def distant(path, source):
    """Comments above code, with at least five words of which none occurs in it: `path:line: the comment's first line`."""
    for comment in comments.comments(path, source):
        said = {w.lower()[:5] for w in re.findall(r"[A-Za-z]{4,}", comment.text)} - COMMON
        code = {w.lower()[:5] for w in re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}", comment.code)}
        if len(said) >= 5 and comment.above and not said & code:
            yield f"{path}:{comment.line}: {comment.text.strip().splitlines()[0]}"


def remarks(root, build):
    """Writes the comments that are listed and not failed; returns a line that says where."""
    found = [line for path, source in commented(root) for line in distant(path, source)]
    if not build.is_dir():
        return ""
    (build / "distant_comments.txt").write_text("\n".join(found) + "\n", encoding="utf-8")
    return f"{len(found)} comments share no word with their code: {build.name}/distant_comments.txt"
