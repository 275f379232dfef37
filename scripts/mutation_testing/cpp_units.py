"""Finds the places of a C++ file that can take a switch: the statements, conditions and initial values inside its
function bodies.

This is no compiler: it only proposes units in formatted code, and the compiler accepts or refuses each proposal. A unit is a piece of
text that can be written twice with a switch between, because it declares nothing that the code around it needs:

    statement    `x = f(y);`         { if (switch) { changed } else { original } }
    condition    of if, while, for   (switch ? bool(changed) : bool(original))
    expression   an initial value    (switch ? (changed) : (original))
    step         of a for            (switch ? void(changed) : void(original))
"""
import collections

from mutation_testing.cpp_tokens import partners, tokens

# `what`: for statements, the first word of `return`, `continue`, ...; "" for an expression. `guard`: the whole body of
# an `if`.
Unit = collections.namedtuple("Unit", "form start end what guard first last")

SKIPPED = {"using", "typedef", "static_assert", "template", "struct", "class", "enum", "union", "goto", "friend", "asm",
           "namespace", "extern"}
JUMPS = {"return", "throw", "continue", "break", "co_return", "co_yield", "delete"}
SPECIFIERS = {"mutable", "noexcept", "const", "override", "final", "try", "constexpr"}


class Reader:
    def __init__(self, text):
        self.text, self.tokens, self.units = text, tokens(text), []
        self.compile_time = []  # (start, end) of bodies that may run at compile time, where no switch is possible
        self.pairs = partners(self.tokens)

    def word(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def is_lambda(self, i):
        """Whether the { at i opens the body of a lambda."""
        j = i - 1
        while j > 0 and (self.word(j) in SPECIFIERS):
            j -= 1
        for k in range(j, max(j - 25, 0), -1):  # a return type `-> type`
            if self.word(k) == "->" and self.word(k - 1) in (")", "mutable", "noexcept"):
                j = k - 1
                while self.word(j) in SPECIFIERS:
                    j -= 1
                break
            if self.tokens[k].kind not in ("word", "number") and self.word(k) not in ("::", "<", ">", "*", "&", ","):
                break
        if self.word(j) == ")" and j in self.pairs:
            j = self.pairs[j] - 1
            if self.word(j) == ">":  # []<typename T>(T x)
                while j > 0 and self.word(j) != "<":
                    j -= 1
                j -= 1
        if self.word(j) != "]" or j not in self.pairs:
            return False
        before = self.pairs[j] - 1  # an array's subscript has a value before it, an attribute another [
        return not (before >= 0 and (self.word(before) in (")", "]", "[") or
                                     self.tokens[before].kind == "word" and self.word(before) not in JUMPS))

    def add(self, form, first, last, what="", guard=False):
        if first <= last and not any(t.hidden for t in self.tokens[first:last + 1]):
            self.units.append(Unit(form, self.tokens[first].start, self.tokens[last].end, what, guard, first, last))

    def file(self):
        """Goes through declarations and finds function bodies."""
        i, head, scopes = 0, 0, []
        while i < len(self.tokens):
            word = self.word(i)
            if word == ";" and not (scopes and scopes[-1] == "list"):
                head = i + 1
            elif word == "{":
                kind = self.kind_of_braces(head, i, scopes[-1] if scopes else "scope")
                if kind == "body":
                    if {"constexpr", "consteval"} & {t.text for t in self.tokens[head:i]}:
                        self.compile_time.append((self.tokens[i].start, self.tokens[self.pairs[i]].end))
                    i = self.block(i)
                    if not (scopes and scopes[-1] == "list"):
                        head = i
                    continue
                scopes.append(kind)
                if kind == "scope":
                    head = i + 1
            elif word == "}":
                if scopes and scopes.pop() == "scope":
                    head = i + 1
            i += 1
        return self.units

    def kind_of_braces(self, head, i, scope):
        """The kind of braces: body of a function, scope of declarations, or list of values."""
        if self.is_lambda(i):
            return "body"
        if scope == "list" or i not in self.pairs:
            return "list"
        words = [t.text for t in self.tokens[head:i]]
        if "enum" in words:
            return "list"
        if "namespace" in words or words[:1] == ["extern"] and len(words) == 2:
            return "scope"
        if self.word(i - 1) == ")" or self.word(i - 1) in SPECIFIERS:
            return "list" if "=" in words and "operator" not in words and "(" not in words[:words.index("=")] else "body"
        if ")" in words and "->" in words[words.index(")"):] and self.word(i - 1) != "=":
            return "body"
        if {"struct", "class", "union"} & set(words) and "(" not in words and "=" not in words:
            return "scope"
        if self.word(i - 1) == "}" and ")" in words and ":" in words[words.index(")"):]:
            return "body"  # a constructor: a_{x} {
        return "list"

    def block(self, i):
        """Reads a block from the { at i; returns the index after its }."""
        end = self.pairs[i]
        i += 1
        while i < end:
            i = max(self.statement(i, end), i + 1)
        return end + 1

    def group(self, i):
        """The range of tokens inside the ( at i, and the index after the )."""
        return i + 1, self.pairs[i] - 1, self.pairs[i] + 1

    def statement(self, i, end, guard=False):
        word = self.word(i)
        if word == ";":
            return i + 1
        if word == "{":
            return self.block(i)
        if word in ("if", "while", "switch", "for", "catch") or word == "else":
            return self.control(i, end)
        if word in ("do", "try"):
            return self.statement(i + 1, end)
        if word in ("case", "default"):
            while i < end and self.word(i) != ":":
                i += 1
            return i + 1
        if word == "[" and self.word(i + 1) == "[":
            return self.statement(self.pairs[i] + 1, end)
        return self.simple(i, end, guard)

    def control(self, i, end):
        word = self.word(i)
        if word == "else":
            return self.statement(i + 1, end, guard=self.word(i + 1) != "if")
        i += 1
        fixed = self.word(i) == "constexpr"
        i += fixed
        if self.word(i) != "(":
            return i
        first, last, after = self.group(i)
        if word == "for":
            self.loop(first, last)
        elif not fixed and word in ("if", "while", "switch"):
            for j in self.level(first, last):
                if self.word(j) == ";":
                    self.inner(first, j)
                    first = j + 1
                    break
            if not self.declares(first, last):
                self.add("expression" if word == "switch" else "condition", first, last, word)
        self.inner(first, last + 1)
        if word == "while" and self.word(after) == ";":
            return after + 1
        return self.statement(after, end, guard=word == "if")

    def loop(self, first, last):
        marks = [j for j in self.level(first, last) if self.word(j) == ";"]
        if len(marks) == 2:
            self.initial(first, marks[0])
            self.add("condition", marks[0] + 1, marks[1] - 1, "for")
            self.add("step", marks[1] + 1, last)

    def level(self, first, last):
        """Indices of tokens outside of inner brackets."""
        i = first
        while i <= last:
            yield i
            i = self.pairs[i] if self.word(i) in ("(", "[", "{") and i in self.pairs else i
            i += 1

    def inner(self, first, last):
        """Lambdas inside an expression."""
        i = first
        while i < last:
            if self.word(i) == "{" and self.is_lambda(i):
                i = self.block(i)
            else:
                i += 1

    def simple(self, i, end, guard):
        last = next((j for j in self.level(i, end) if self.word(j) == ";"), end)
        self.inner(i, last)
        word = self.word(i)
        if last >= end or word in SKIPPED or self.word(last) != ";":
            return last + 1
        if word in JUMPS:
            self.add("statement", i, last, word, guard)
        elif self.declares(i, last):
            self.initial(i, last)
        else:
            self.add("statement", i, last)
        return last + 1

    def declares(self, first, last):
        """True for two adjacent names, as in `T x` and `const T& x`, which no expression has."""
        if self.word(first) in ("auto", "const", "static", "constexpr", "thread_local", "constinit"):
            return True
        previous = None
        for i in self.level(first, last):
            token = self.tokens[i]
            if previous and token.kind == "word":
                glued = previous.end < token.start  # `T* x` is a declaration, `a * x` is not
                if previous.kind == "word" or previous.text in (">", "*", "&", "&&", ">>") and glued and i - first > 1 and (
                        self.tokens[i - 2].end == previous.start):
                    return True
            if token.text in ("=", "(", "{", ";", "?"):
                return False
            previous = token
        return False

    def initial(self, first, last):
        """Finds the unit of `T x = value` in tokens first to last, without the last one."""
        words = [self.word(j) for j in self.level(first, last - 1)]
        if {"constexpr", "constinit", "consteval"} & set(words):
            return
        equals = next((j for j in self.level(first, last - 1) if self.word(j) == "="), None)
        if equals is None or self.word(equals + 1) == "{":
            return
        if "," not in [self.word(j) for j in self.level(equals, last - 1)]:
            self.add("expression", equals + 1, last - 1, "initial")


def units(text):
    """A Reader with the units of this file, in no order; units may contain each other."""
    reader = Reader(text)
    reader.file()
    return reader
