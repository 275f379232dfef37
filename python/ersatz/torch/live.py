"""`crosscheck`: compares every operator call of a PyTorch program with its prediction. The program is unchanged."""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import FrameType, TracebackType
from typing import Any

import torch
from torch._C import _get_dispatch_mode, _len_torch_dispatch_stack, _TorchDispatchModeKey
from .. import _ersatz, errors
from ..report import Finding, Report
from . import glue
from .compiled_pieces import CompiledPieces
from .recording import compiled_code, dispatch_stack, groups
from .own_calls import OwnCalls
from .recording.call import hidden
from .recording.place import line_text, users_frame
from .watched_gradients import GradientWatch

__all__ = ["LiveReport", "crosscheck", "users_line"]

_JUDGED_WITHIN, _FAKE = 1, 2  # possible results of TorchCrosscheck.subclass
_FAKE_MODE = _TorchDispatchModeKey.FAKE


def users_line() -> str:
    """Returns the innermost line outside of PyTorch and ersatz, `train.py:12 in forward: y = mix(x)`. Empty if there
    is none."""
    return _line_at(users_frame(sys._getframe(1)))


def _line_at(frame: FrameType | None) -> str:
    return "" if frame is None else line_text(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


class LiveReport:
    """The report of a live crosscheck so far. It can be read during and after the run; `report` is a snapshot."""

    def __init__(self, session: _ersatz.TorchCrosscheck, name: str, gradients: GradientWatch | None = None) -> None:
        self._session = session
        self._name = name
        self._gradients = gradients

    @property
    def report(self) -> Report:
        """Returns a snapshot of all findings and counts up to now."""
        if self._gradients is not None:
            self._gradients.tell()
        return Report(self._session.report(self._name))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The differences, each once, with the number of times that it was seen."""
        return self.report.findings

    @property
    def compared(self) -> int:
        """Results that were compared."""
        return self.report.compared

    @property
    def mismatched(self) -> int:
        """Results that differ."""
        return self.report.mismatched

    @property
    def clean(self) -> bool:
        """Whether something was compared, nothing differs, and all calls of the user's own operators were compared."""
        return self.report.clean

    @property
    def closing_line(self) -> str:
        """Returns a line like `crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`."""
        return self._session.closing_line()

    def raise_if_findings(self) -> None:
        """Raises `errors.MetadataMismatch` with the first finding, or `errors.Unjudged` if there is none but the
        report is not clean."""
        self.report.raise_if_findings()

    def to_json(self) -> str:
        """Returns the report in the form of `ersatz crosscheck --json`."""
        return self.report.to_json()

    def to_html(self) -> str:
        """Returns the report as one page without scripts and network access."""
        return self.report.to_html()

    def _repr_html_(self) -> str:
        return self.report._repr_html_()

    def __str__(self) -> str:
        return str(self.report)

    def __repr__(self) -> str:
        return f"<LiveReport of {self._name}: {self.closing_line}>"


class crosscheck(dispatch_stack.BesideCompiling):
    """A context that compares the result of each operator call with its prediction. Calls are made as usual.

        with ersatz.torch.crosscheck() as report:
            model(x).sum().backward()
        print(report)

    It compares dtype, sizes, strides where they matter, offset and device, and whether the call raises. It also
    compares which results are arguments or share their memory, and the arguments' metadata and version counters after
    the call. Only the predictable part of data-dependent results is compared. Values, random numbers, gradients and
    exceptions are unchanged. Compiled functions run as usual too, but inductor's code calls no operators. Its runs are
    counted as not judged, and the report is not clean (`exclude=["torch.compile"]` accepts that).

    An operator without a rule in ersatz is predicted by its own fake kernel (`register_fake`, a Meta kernel). The fake
    kernel is called once for calls of equal metadata and never gets the run's tensors. In the operator's first calls
    the bytes of its arguments are compared too. If it has no fake kernel, its calls are not judged, and the report is
    not clean. PyTorch's own operators that ersatz refuses by name (`mkldnn_rnn_layer`, quantized ones) are counted as
    skipped.

    The context sees the calls below autograd on this thread, including backward passes, and no other threads. A call on
    tensor subclasses (DTensor) is counted, and the calls that it makes are compared. Calls on sparse or quantized
    tensors, on symbolic sizes and on dtypes that ersatz lacks are counted as skipped, by reason.

    exclude: operators to leave out, by name or pattern (`mylib.*`); their calls do not make the report unclean.
    bytes: storages up to this size are compared before and after the first three calls of each of the user's
    operators; 0: none. name: the run's name in reports. waivers: a file of findings with a reason
    (docs/crosscheck.md). strides: compare strides. stop_at_first: raise `errors.RuntimeError` after the call of the
    first finding. native: use the glue (`ersatz.torch.glue`); None: if it is built. device: `xpu=cpu`, `xpu=cuda` or
    `xpu=FILE` predicts tensors on xpu by the rules of that device, or by the strides of calls that FILE recorded
    there. Without it, xpu, npu, mps, musa, mtia, hpu and privateuseone have the rules of cuda. compiled: compare
    graphs that inductor compiles like `watch_compiles`, and compare the inputs of each run of their code with those
    for which it was compiled. Runs of code of compared graphs leave the report clean, and the report notes that
    their kernels are not seen. Inductor then uses no cached graphs. gradients: compare `requires_grad`, leaf-ness,
    `grad_fn` and views of results with ersatz's own engine too, and list the user's operators without a registered
    backward. It costs some tens of microseconds for each call with gradients.
    """

    supports_higher_order_operators = True

    def __init__(self, *, name: str = "live", waivers: str | os.PathLike[str] | None = None, strides: bool = True,
                 stop_at_first: bool = False, exclude: Sequence[str] = (), bytes: int = 1 << 24, native: bool | None = None,
                 device: str = "", compiled: bool = False, gradients: bool = False) -> None:
        super().__init__()
        with hidden():  # creating the first session reads some tensors, which no mode should see
            self._session = _ersatz.TorchCrosscheck(os.fspath(waivers) if waivers is not None else "", strides, stop_at_first, list(exclude),
                                                    device)
        self._where = self._session.where = self._line
        self._pieces = CompiledPieces(self._session) if compiled else None
        self._session.own_calls = OwnCalls(weakref.ref(self))
        self._session.groups = groups
        self._session.watched_bytes = bytes
        self._call = self._session.call
        self._watches = False  # True while the glue watches this thread
        self._gradients = GradientWatch(self._session, self._line) if gradients else None
        self.report = LiveReport(self._session, name, self._gradients)
        self.native = glue.load() if native is None else native
        if self.native and not glue.load():
            raise errors.RuntimeError(f"crosscheck: no native glue for torch {torch.__version__}: run `python -m ersatz build-glue`")

    def _line(self) -> str:
        """Returns the user's line of the current call. In inductor's code it is the line from which the call was
        generated, if that is known."""
        frame = users_frame(sys._getframe(1))
        return self._pieces is not None and frame is not None and self._pieces.line(frame) or _line_at(frame)

    def compiled_code_runs(self, code: Any, inputs: Any) -> Callable[[Any], None] | None:
        """Counts a run of inductor's code, and compares its inputs if its graph was compared."""
        end = self._pieces.runs(code, inputs) if self._pieces is not None else None
        if end is None:
            why = "inductor's code calls no operators"
            self._session.count_unseen("torch.compile", why if self._pieces is None else f"{why}, and its graph was not seen as it was compiled")
        return end

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        modes = _len_torch_dispatch_stack()
        if types or modes:
            subclass = next((t for t in types if t is not torch.Tensor and t is not torch.nn.Parameter), None)
            how = self._session.subclass(subclass, str(func), modes > 0, modes > 0 and _get_dispatch_mode(_FAKE_MODE) is not None)
            if how == _JUDGED_WITHIN:
                return NotImplemented  # the subclass handles the call, and the calls that it makes arrive here
            if how == _FAKE:
                return func(*args, **(kwargs or {}))
        return self._call(func, args, kwargs or {})

    def __enter__(self) -> LiveReport:
        compiled_code.watch()
        if self._pieces is not None:
            self._pieces.start()
        if self.native and not torch.ops.ersatz_glue.watching():
            torch.ops.ersatz_glue.enter(self._session.interface())
            self._watches = True
            compiled_code.native.watching = self
        else:  # only one session of the glue may watch a thread
            super().__enter__()
        if self._gradients is not None:
            self._gradients.__enter__()
        return self.report

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._session.note_rank()
        if self._gradients is not None:
            self._gradients.__exit__(kind, error, trace)
        if self._pieces is not None:
            self._pieces.stop()
        if self._watches:
            torch.ops.ersatz_glue.leave()
            self._watches = False
            compiled_code.native.watching = None
            return
        dispatch_stack.leave(self)


@contextlib.contextmanager
def lines_from(of: crosscheck, where: Callable[[], str]) -> Iterator[None]:
    """Makes the crosscheck's findings name the line that `where` returns."""
    before, of._where = of._where, where
    of._session.where = where
    try:
        yield
    finally:
        of._where = of._session.where = before
