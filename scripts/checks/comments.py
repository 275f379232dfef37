"""The comments of a source file, each with the code that it describes, for scripts/checks/words.py.

A comment is a run of comment lines, a comment at the end of a line of code with its continuation lines, or a Python docstring.
The text of a comment is split into paragraphs and sentences. An item of a list, an indented line, and a line of a table are
paragraphs of their own. Lines that are indented by four spaces or more are examples, which are not read.
"""
import io
import pathlib
import re
import textwrap
import tokenize
from dataclasses import dataclass

CPP = {".h", ".cpp", ".cu", ".cuh", ".inl", ".def"}
HASH = {".sh", ".cmake"}
BELOW = 6  # most lines of code below a comment that it may describe
MARK = re.compile(r"^\s*(?:///?<?|#+)\s?")
TOOL = re.compile(r"\s*(NOLINT|clang-format|noqa|type: |pylint|shellcheck|IWYU|SPDX|-\*-)")
MARKED = re.compile(r"\s*(?:[-*] |\[[\w.*]+\] |\d+\. |[A-Z]\d+\.? )")  # an item of a list, a labelled constraint
ITEM = re.compile(MARKED.pattern + r"|\s{2,}|\||.*\S {2,}\S")  # the first line of a paragraph
EXAMPLE = re.compile(r" {4,}|```|\|")
QUOTED = re.compile(r"```\w*|`[^`]*`|\"[^\"]*\"|e\.g\.|i\.e\.|cf\.|vs\.")
END = re.compile(r"(?<=[.!?])\s+|(?<=[:;])\s+(?=[A-Z\[])")
OF_FILE = re.compile(r"\s*(?:#pragma once|#include|import |from |set -)")
STRING = re.compile(r"""R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|(//[^\n]*)|(/\*.*?\*/)""", re.S)


@dataclass
class Comment:
    line: int   # number of its first line, from 1
    text: str   # its lines, without comment marks
    code: str   # the line of code before the comment, or the lines below it
    above: bool = True  # False for the comment of a file and for a comment at the end of a line


def language(path, first_line):
    """"cpp", "python" or "hash" (a file whose comments start with #); "" where the file is none of these."""
    suffix = pathlib.PurePath(path).suffix
    if suffix in CPP:
        return "cpp"
    if suffix in (".py", ".pyi") or first_line.startswith("#!") and "python" in first_line:
        return "python"
    if suffix in HASH or path.endswith("CMakeLists.txt") or re.match(r"#!.*\b(ba)?sh\b", first_line):
        return "hash"
    return ""


def comments(path, source):
    kind = language(path, source.partition("\n")[0])
    marked = {"cpp": cpp_marks, "python": python_marks, "hash": hash_marks}[kind](source) if kind else ([], [])
    pieces, whole = marked
    found = joined(pieces, source.splitlines()) + whole
    return sorted((c for c in found if not TOOL.match(c.text)), key=lambda c: c.line)


def cpp_marks(source):
    """Positions (line, column, text) of `//` comments, and the `/* */` comments of more than three words. `/*name*/` names an argument."""
    pieces, whole = [], []
    for m in STRING.finditer(source):
        line = source.count("\n", 0, m.start()) + 1
        if m[2]:
            pieces.append((line, m.start() - source.rfind("\n", 0, m.start()) - 1, m[2]))
        elif m[3] and len(m[3].split()) > 5:
            text = dedented(re.sub(r"^\s*\*\s?", "", m[3][2:-2], flags=re.M))
            whole.append(Comment(line, text, below(source.splitlines(), line + m[3].count("\n"))))
    return pieces, whole


def hash_marks(source):
    return [(n, len(line) - len(line.lstrip()), line.strip()) for n, line in enumerate(source.splitlines(), 1)
            if line.lstrip().startswith("#") and not line.startswith("#!")], []


def python_marks(source):
    pieces, whole = [], []
    # `before`: kind of the previous token that is no comment. `string`: a string that starts a statement.
    before, string = tokenize.NEWLINE, None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if not token.string.startswith("#!"):
                pieces.append((*token.start, token.string))
        elif token.type != tokenize.NL:
            if token.type == tokenize.NEWLINE and string:
                text = re.sub(r'^[rRuU]*("""|\'\'\'|"|\')|("""|\'\'\'|"|\')$', "", string.string)
                code = docstring_code(source.splitlines(), string)
                whole.append(Comment(string.start[0], dedented(text), code, bool(re.search(r"^\s*(def|class)\b", code, re.M))))
            opens = token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
            before, string = token.type, token if opens else None
    return pieces, whole


def dedented(text):
    """Removes the common indentation of the lines after the first."""
    first, _, rest = text.partition("\n")
    return first.strip() + ("\n" + textwrap.dedent(rest) if rest else "")


def docstring_code(lines, token):
    return "\n".join(lines[max(0, token.start[0] - 4):token.start[0] - 1]) + "\n" + below(lines, token.end[0])


def joined(pieces, lines):
    """Comments: pieces on consecutive lines in one column become one, unless a later one has code before it."""
    found, last = [], None
    for line, column, text in pieces:
        alone = not lines[line - 1][:column].strip()
        text = MARK.sub("", text)
        if last and alone and last[0] == line - 1 and last[1] == column:
            found[-1].text += "\n" + text
        else:
            found.append(Comment(line, text, "" if alone else lines[line - 1][:column], alone))
        last = (line, column)
    for comment in found:
        if not comment.code:
            comment.code = below(lines, comment.line + comment.text.count("\n"))
            comment.above = not OF_FILE.match(comment.code)
    return found


def below(lines, last):
    """The lines of code after line `last`."""
    return "\n".join(lines[last:last + BELOW])


def paragraphs(text):
    """(index of the first line, lines without their bullets) of each paragraph of a comment's text."""
    lines, first, start, hangs = [], 0, 0, False
    for number, line in enumerate([*text.split("\n"), ""]):
        indent = len(line) - len(line.lstrip())
        goes_on = lines and line.strip() and (hangs and indent > start or indent >= start and not ITEM.match(line))
        if lines and not goes_on:
            yield first, lines
            lines = []
        if goes_on or line.strip() and not EXAMPLE.match(line):
            if not lines:
                first, start, hangs = number, indent, bool(MARKED.match(line))
            lines.append(re.sub(r"^\s*(?:[-*] )?", "", line).rstrip())


def sentences(text):
    """(index of the line on which its paragraph begins, sentence) of a comment's text. Code and quotations become X's."""
    for first, lines in paragraphs(text):
        plain = QUOTED.sub(lambda m: "X" * len(m[0]), " ".join(lines))
        for sentence in END.split(plain):
            if sentence:
                yield first, sentence
