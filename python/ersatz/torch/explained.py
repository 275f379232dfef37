"""Explains an error of compiled code like `ersatz explain`: the operator or input, both layouts, and the cause."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import tempfile
import traceback

from .. import _ersatz
from .compiled_pieces import CompiledPieces, is_generated
from .recording import compiled_code

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_COMPILER = tuple(os.sep + os.path.join("torch", part) + os.sep for part in ("_dynamo", "_inductor", "_functorch", "_subclasses"))
_INPUT = re.compile(r"(input \w+ of compiled code: .*): no operator's result, and no fake kernel is to blame$")


def traceback_of(error: BaseException) -> str:
    """Returns the traceback as the interpreter prints it, without ersatz's frames."""
    told = traceback.TracebackException.from_exception(error)
    at: traceback.TracebackException | None = told
    while at is not None:
        at.stack = traceback.StackSummary.from_list([f for f in at.stack if not f.filename.startswith((_OURS, "<frozen runpy>"))])
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return "".join(told.format())


def _answer(text: str, code: str, graph: str) -> list[str]:
    """Returns the lines of `ersatz explain` for the text, the generated code and the graph. Empty if it finds
    nothing."""
    with tempfile.TemporaryDirectory(prefix="ersatz") as folder, contextlib.suppress(OSError):
        paths = []
        for name, content in (("traceback.txt", text), ("graph.txt", graph)):
            if content:
                paths.append(os.path.join(folder, name))
                pathlib.Path(paths[-1]).write_text(content, encoding="utf-8")
        answer = pathlib.Path(folder, "answer.txt")
        if _ersatz.run_command(["explain", *paths[:1], *([code] if code else []), *paths[1:], "-o", str(answer)]) == 1:
            lines = answer.read_text(encoding="utf-8").splitlines()
            return [line for line in lines if folder not in line]  # lines about the temporary files are left out
    return []


def explained(error: BaseException, pieces: CompiledPieces | None) -> str:
    """Returns the explanation by `ersatz explain`. Empty if the error is not from compilation or compiled code, or
    has no explanation."""
    text = traceback_of(error)
    files = re.findall(r'^ *File "(.+)", line \d+', text, re.M)
    if not any(part in file for file in files for part in _COMPILER):
        return ""
    code = next((file for file in files if is_generated(file) and os.path.isfile(file)), "")
    piece = pieces.piece_of(getattr(compiled_code.native, "failed", None)) if pieces is not None and code else None
    lines = _answer(text, code, piece.text if piece is not None else "")
    maker = pieces.made_by if pieces is not None else ""
    # The traceback does not show what made the input, but the run has noted it.
    if lines and maker and (of_input := _INPUT.match(lines[0])):
        lines = [line for line in lines if not line.startswith(("  means:", "  next:"))]
        lines[0] = f"{of_input[1]}: {maker} made it, outside of this code"
        if "." in maker.split(" ", 1)[0]:
            lines.append("  means:      its fake kernel said the layout that this code was compiled for; the kernel makes the other one")
            lines.append(f"  next:       import ersatz.torch; print(ersatz.torch.validate(torch.ops.{maker}, [...]))")
    return "\n".join(lines)
