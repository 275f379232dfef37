"""Tokens of a C++ file for mutation: without comments, with matched brackets."""
import collections
import re

# kind: word, number, text (string or character), mark (punctuation). `hidden`: inside an #if, so it may not be
# compiled.
Token = collections.namedtuple("Token", "kind text start end hidden")

PATTERN = re.compile(r"""
    (?P<space>\s+ | //[^\n]* | /\*.*?\*/)
  | (?P<line>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<text>(?:u8|u|U|L)?R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)" | (?:u8|u|U|L)?"(?:\\.|[^"\\\n])*" | (?:u8|u|U|L)?'(?:\\.|[^'\\\n])+')
  | (?P<number>(?:0[xX][0-9a-fA-F.']+(?:[pP][+-]?\d+)? | (?:\d[\d']*\.?[\d']*|\.\d[\d']*)(?:[eE][+-]?\d+)?)[a-zA-Z0-9_]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark><=> | <<= | >>= | \.\.\. | ->\* | \+\+ | -- | -> | :: | && | \|\| | << | >= | <= | == | != | [-+*/%&|^]= | .)
""", re.VERBOSE | re.DOTALL)


def tokens(text):
    found, depth, at = [], 0, 0
    while at < len(text):
        match = PATTERN.match(text, at)
        kind, at = match.lastgroup if match.lastgroup != "tag" else "text", match.end()
        if kind == "line":
            directive = match.group().strip(" \t#")
            depth += directive.startswith("if")
            depth -= directive.startswith("endif")
        elif kind != "space":
            found.append(Token(kind, match.group(), match.start(), at, depth > 0))
    return found


def partners(found):
    """index of each bracket -> index of its counterpart. Angle brackets are left out, because they may be
    comparisons."""
    pairs, stack = {}, []
    for i, token in enumerate(found):
        if token.kind != "mark":
            continue
        if token.text in "([{":
            stack.append(i)
        elif token.text in ")]}" and stack:
            pairs[i] = stack.pop()
            pairs[pairs[i]] = i
    return pairs
