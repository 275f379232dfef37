"""Sites of mutants in a Python script. The kinds of changes are those of C++; they are found in the syntax tree and made in the text."""
import ast
import collections

PySite = collections.namedtuple("PySite", "group kind start end new")

COMPARISONS = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
               ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"),
               ast.IsNot: ("is not", "is")}
ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.Mod: ("%", "*"),
              ast.BitOr: ("|", "&"), ast.BitAnd: ("&", "|"), ast.FloorDiv: ("//", "*")}


class Finder(ast.NodeVisitor):
    def __init__(self, text):
        self.text, self.found = text, []
        self.lines = [0]
        for line in text.encode().split(b"\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.bytes = text.encode()

    def at(self, line, column):
        return len(self.bytes[:self.lines[line - 1] + column].decode())

    def span(self, node):
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def between(self, left, right, pair, kind_group="operator"):
        """The operator between two operands."""
        start, end = self.span(left)[1], self.span(right)[0]
        at = self.text.find(pair[0], start, end)
        if at >= 0 and "#" not in self.text[start:end]:
            self.found.append(PySite(kind_group, f"{pair[0]} to {pair[1]}", at, at + len(pair[0]), pair[1]))

    def visit_Compare(self, node):
        operands = [node.left, *node.comparators]
        for i, op in enumerate(node.ops):
            self.between(operands[i], operands[i + 1], COMPARISONS[type(op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:]):
            self.between(left, right, pair)
        self.generic_visit(node)

    def visit_BinOp(self, node):
        if type(node.op) in ARITHMETIC:
            self.between(node.left, node.right, ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            start = self.span(node)[0]
            self.found.append(PySite("condition", "not dropped", start, self.span(node.operand)[0], ""))
        self.generic_visit(node)

    def visit_Constant(self, node):
        start, end = self.span(node)
        if isinstance(node.value, bool):
            self.found.append(PySite("constant", "truth", start, end, str(not node.value)))
        elif isinstance(node.value, (int, float)):
            self.found.append(PySite("constant", "number", start, end, str(node.value + 1)))

    def visit_JoinedStr(self, node):
        pass  # positions inside f-strings are wrong before Python 3.12

    def negate(self, node):
        start, end = self.span(node.test)
        if not isinstance(node.test, ast.UnaryOp):
            self.found.append(PySite("condition", "negated", start, end, f"not ({self.text[start:end]})"))
        self.generic_visit(node)

    visit_If = visit_IfExp = visit_While = negate

    def delete(self, node):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring:
            self.found.append(PySite("statement", "deleted", *self.span(node), "pass"))
            self.generic_visit(node)

    visit_Expr = visit_Assign = visit_AugAssign = visit_Continue = visit_Break = visit_Raise = delete


def sites(text):
    finder = Finder(text)
    finder.visit(ast.parse(text))
    return finder.found
