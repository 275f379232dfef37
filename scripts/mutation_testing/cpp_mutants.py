"""Sites of mutants in a C++ file, one small change each.

A site is a piece of text and its replacement, with the units (cpp_units) that could take it as a switch, best first.
clang-format's spaces distinguish binary operators from types and templates: `a < b`, `a * b`, but `T* p`, `X<T>`.
"""
import bisect
import collections

from mutation_testing.cpp_units import Unit, units

# `group`: operator, constant, condition or statement, which the draw balances. `kind`: the exact change, for the table.
Site = collections.namedtuple("Site", "group kind start end new units")

BINARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*", "%": "*",
          "&&": "||", "||": "&&", "&": "|", "|": "&", "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "|=": "&=", "&=": "|="}


def next_number(word):
    """`0` -> `1`, `2.5f` -> `3.5f`; None for a number that is not changed."""
    suffix = ""
    digits = word
    if not word.lower().startswith("0x"):
        digits = word.rstrip("uUlLfF")
        suffix = word[len(digits):]
    try:
        if digits.isdigit() and (digits == "0" or digits[0] != "0"):
            return f"{int(digits) + 1}{suffix}"
        if digits.lower().startswith("0x") and "." not in digits:
            return hex(int(digits, 16) + 1)
        if "e" not in digits.lower() and "'" not in digits:
            return f"{float(digits) + 1}{suffix}"
    except ValueError:
        pass
    return None


class Finder:
    def __init__(self, text):
        self.reader = units(text)
        self.text, self.tokens, self.pairs = text, self.reader.tokens, self.reader.pairs
        self.units = sorted(self.reader.units, key=lambda u: (u.start, -u.end))
        self.starts = [u.start for u in self.units]

    def around(self, start, end):
        """Units that contain this text, the smallest first."""
        held = [u for u in self.units[:bisect.bisect_right(self.starts, start)] if u.end >= end]
        return tuple(sorted(held, key=lambda u: u.end - u.start))

    def argument(self, i, unit):
        """The text between the brackets and commas around token i, as an expression that may take a switch."""
        first = i
        while first > unit.first and self.tokens[first - 1].text not in ("(", "[", "{", ",", ";"):
            first = self.pairs[first - 1] if self.tokens[first - 1].text in (")", "]", "}") else first - 1
        last = i
        while last < unit.last and self.tokens[last + 1].text not in (")", "]", "}", ",", ";"):
            last = self.pairs[last + 1] if self.tokens[last + 1].text in ("(", "[", "{") else last + 1
        if first == unit.first or first > i or last < i:
            return None
        if self.tokens[first].text == "." and self.tokens[first + 2].text == "=":
            first += 3  # .casts = true
        if first > i:
            return None
        return Unit("expression", self.tokens[first].start, self.tokens[last].end, "argument", False, first, last)

    def spaced(self, i):
        token = self.tokens[i]
        return self.text[token.start - 1].isspace() and self.text[token.end].isspace()

    def change_of(self, i):
        """(group, kind, new text) for the token at i."""
        token = self.tokens[i]
        if token.kind == "number" and (new := next_number(token.text)):
            return "constant", "number", new
        if token.kind == "word" and token.text in ("true", "false"):
            return "constant", "truth", "false" if token.text == "true" else "true"
        if token.kind != "mark":
            return None
        if token.text in BINARY and i > 0 and self.spaced(i) and self.tokens[i - 1].text not in ("(", ",", "operator", "="):
            return "operator", f"{token.text} to {BINARY[token.text]}", BINARY[token.text]
        if token.text == "!" and not self.spaced(i):
            return "condition", "not dropped", ""
        if token.text in ("++", "--"):
            return "operator", "step turned", "--" if token.text == "++" else "++"
        return None

    def sites(self):
        for i, token in enumerate(self.tokens):
            if token.kind in ("text",) or token.hidden or not (change := self.change_of(i)):
                continue
            held = self.around(token.start, token.end)
            if not held or held[0].form == "step" and change[1] == "step turned":  # an endless loop would only time out
                continue
            argument = self.argument(i, held[0])
            forms = (held[0],) + ((argument,) if argument else ()) + held[1:]
            yield Site(*change[:2], token.start, token.end, change[2], forms)
        for u in self.units:
            source, held = self.text[u.start:u.end], self.around(u.start, u.end)
            if u.form == "condition" and u.what != "for" and not source.startswith("!"):
                yield Site("condition", "negated", u.start, u.end, f"!({source})", held)
            deleted = u.what == "" or u.what == "continue" or u.what == "return" and u.guard and self.may_fall(u)
            if u.form == "statement" and deleted and self.tokens[u.first].text not in ("(void)", "do"):
                yield Site("statement", "deleted", u.start, u.end, ";", held)

    def may_fall(self, u):
        """Whether code follows an `if (x) return y;` in its block, so that the function still returns a value without
        it."""
        return u.last + 1 < len(self.tokens) and self.tokens[u.last + 1].text not in ("}", "else", "case", "default")


def sites(text):
    return list(Finder(text).sites())
