"""Small changes of a source file that tests should notice: of a sign, a comparison, an extreme, an index or an axis."""

import ast
import io
import tokenize
from dataclasses import dataclass

SIGNS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
EXTREMES = {"min": "max", "minimum": "maximum", "argmin": "argmax"}
EXTREMES |= {other: one for one, other in EXTREMES.items()}

SEQUENCES = (ast.Constant, ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple)
"""Operands with which a sign joins or repeats; constants that are numbers are none of them."""


@dataclass(frozen=True, order=True)
class Mutation:
    """A change of one line.

    Attributes
    ----------
    line, column : int
        Where the old text begins; lines count from 1, columns from 0.
    old, new : str
    statement : (int, int)
        The first and the last line of the statement that it is in, or of its head; (0, 0) if that runs on import.
    """

    line: int
    column: int
    old: str
    new: str
    statement: tuple[int, int]

    def apply(self, source):
        """The changed source."""
        lines = source.splitlines(keepends=True)
        lines[self.line - 1] = self.changed_line(source)
        return "".join(lines)

    def changed_line(self, source):
        """The changed line alone, with its end."""
        line = source.splitlines(keepends=True)[self.line - 1]
        end = self.column + len(self.old)
        if line[self.column : end] != self.old:
            raise ValueError(f"Line {self.line} has no {self.old!r} in column {self.column}; find its mutations again.")
        return line[: self.column] + self.new + line[end:]


def find_mutations(source):
    """All changes of a source file, in its order.

    Annotations, texts and errors are left alone.

    Parameters
    ----------
    source : str

    Returns
    -------
    list of Mutation
    """
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    return sorted(finder.found)


class _Finder(ast.NodeVisitor):
    def __init__(self, source):
        self.found = set()
        self._lines = source.splitlines()
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        self._operators = [(token.start, token.string) for token in tokens if token.type == tokenize.OP]
        self._statement = (0, 0)
        self._in_function = False

    # statements

    def visit(self, node):
        if not isinstance(node, ast.stmt):
            super().visit(node)
            return
        before = self._statement
        if self._in_function:
            body = getattr(node, "body", None)
            self._statement = (node.lineno, max(node.lineno, body[0].lineno - 1) if body else node.end_lineno)
        super().visit(node)
        self._statement = before

    def visit_FunctionDef(self, node):
        for default in [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(default)
        before, self._in_function = self._in_function, True
        for statement in node.body:
            self.visit(statement)
        self._in_function = before

    def visit_Lambda(self, node):
        self.visit(node.body)

    def visit_AnnAssign(self, node):
        is_type = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
        if node.value is not None and not is_type:
            self.visit(node.value)

    def visit_Raise(self, node):
        """Leave errors alone."""

    def visit_JoinedStr(self, node):
        """Leave texts alone."""

    # signs

    def visit_BinOp(self, node):
        if type(node.op) in SIGNS and not (_is_sequence(node.left) or _is_sequence(node.right)):
            self._operator(node.left, node.right, *SIGNS[type(node.op)])
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if type(node.op) in SIGNS and not _is_sequence(node.value):
            old, new = SIGNS[type(node.op)]
            self._operator(node.target, node.value, f"{old}=", f"{new}=")
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.USub):
            self._replace(self._start(node), "-", "")
        self.generic_visit(node)

    def visit_Compare(self, node):
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if type(operator) in COMPARISONS:
                self._operator(left, right, *COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_Name(self, node):
        if node.id in EXTREMES and isinstance(node.ctx, ast.Load):
            self._replace(self._start(node), node.id, EXTREMES[node.id])

    def visit_Attribute(self, node):
        self.visit(node.value)
        if node.attr in EXTREMES:
            line, column = self._end(node)
            self._replace((line, column - len(node.attr)), node.attr, EXTREMES[node.attr])

    # indices

    def visit_Subscript(self, node):
        self._indices(node.slice)
        self.generic_visit(node)

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == "range":
            for bound in node.args[:2]:
                self._one_more(bound)
        for keyword in node.keywords:
            if keyword.arg == "axis" and isinstance(keyword.value, ast.Constant) and keyword.value.value in (0, 1):
                old = keyword.value.value
                self._replace(self._start(keyword.value), str(old), str(1 - old))
        self.generic_visit(node)

    def _indices(self, node):
        """The whole numbers of an index, but not those of calls and of other indices within it."""
        if _integer(node) is not None:
            self._one_more(node)
        elif not isinstance(node, ast.Call | ast.Subscript | ast.Lambda):
            for child in ast.iter_child_nodes(node):
                self._indices(child)

    def _one_more(self, node):
        if node.lineno != node.end_lineno or isinstance(node, ast.Starred | ast.IfExp | ast.BoolOp | ast.Compare):
            return
        (line, start), (_, end), value = self._start(node), self._end(node), _integer(node)
        old = self._lines[line - 1][start:end]
        self._replace((line, start), old, f"{old} + 1" if value is None else str(value + 1))

    # places

    def _operator(self, left, right, old, new):
        """An operator stands between its operands, where there may be brackets too."""
        start, end = self._end(left), self._start(right)
        places = [place for place, text in self._operators if text == old and start <= place < end]
        self._replace(places[0], old, new)

    def _replace(self, place, old, new):
        self.found.add(Mutation(*place, old, new, self._statement))

    def _start(self, node):
        return node.lineno, self._characters(node.lineno, node.col_offset)

    def _end(self, node):
        return node.end_lineno, self._characters(node.end_lineno, node.end_col_offset)

    def _characters(self, line, n_bytes):
        """A column in characters from one in bytes."""
        return len(self._lines[line - 1].encode()[:n_bytes].decode())


def _is_sequence(node):
    return isinstance(node, SEQUENCES) and not isinstance(getattr(node, "value", None), int | float)


def _integer(node):
    """The value of a whole number, with its sign; None if a node is none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _integer(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
