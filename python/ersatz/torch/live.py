"""`crosscheck`: every operator call of a PyTorch program is compared with its prediction. The program stays as it is."""

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

_JUDGED_WITHIN, _FAKE = 1, 2  # answers of TorchCrosscheck.subclass
_FAKE_MODE = _TorchDispatchModeKey.FAKE


def users_line() -> str:
    """The innermost line of the program that is neither PyTorch's nor ours: `train.py:12 in forward: y = mix(x)`; empty: there is none."""
    return _line_at(users_frame(sys._getframe(1)))


def _line_at(frame: FrameType | None) -> str:
    return "" if frame is None else line_text(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


class LiveReport:
    """What a live crosscheck has found so far. It can be read while the program runs and after it; `report` is what it says now."""

    def __init__(self, session: _ersatz.TorchCrosscheck, name: str, gradients: GradientWatch | None = None) -> None:
        self._session = session
        self._name = name
        self._gradients = gradients

    @property
    def report(self) -> Report:
        """All that was found until now, as a `Report` that stays as it is."""
        if self._gradients is not None:
            self._gradients.tell()
        return Report(self._session.report(self._name))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What differs, each once, with how often it was seen."""
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
        """Something was compared, nothing differs, and no call of the user's own operators was left unjudged."""
        return self.report.clean

    @property
    def closing_line(self) -> str:
        """`crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`."""
        return self._session.closing_line()

    def raise_if_findings(self) -> None:
        """Raises `errors.MetadataMismatch` with the first finding, if there is one, and `errors.Unjudged` where the report is not clean
        without one."""
        self.report.raise_if_findings()

    def to_json(self) -> str:
        """The report that `ersatz crosscheck --json` writes."""
        return self.report.to_json()

    def to_html(self) -> str:
        """The report as one page that needs no network and no script."""
        return self.report.to_html()

    def _repr_html_(self) -> str:
        return self.report._repr_html_()

    def __str__(self) -> str:
        return str(self.report)

    def __repr__(self) -> str:
        return f"<LiveReport of {self._name}: {self.closing_line}>"


class crosscheck(dispatch_stack.BesideCompiling):
    """A context in which each operator call is made as ever, and what it returns is compared with its prediction.

        with ersatz.torch.crosscheck() as report:
            model(x).sum().backward()
        print(report)

    Compared are dtype, sizes, strides where they matter, offset, device, which results share memory with which arguments or are
    arguments, what arguments are afterwards, which of them moved their version, and whether the call raises; of results that
    depend on data what does not. Values, random numbers, gradients and exceptions are those of the program without it, compiled
    functions included: inductor's code calls no operators, so its runs are counted as not judged, and the report is not clean
    (`exclude=["torch.compile"]` says that this is known).

    An operator that ersatz has no rule of is predicted by its own fake kernel (`register_fake`, a Meta kernel), which is asked once for
    calls of equal metadata and never sees the run's tensors. Bytes of its arguments are compared in its first calls. Where it has
    none, its calls are not judged, and the report is not clean. PyTorch's own operators that ersatz refuses by name
    (`mkldnn_rnn_layer`, quantized ones) are counted as skipped, not judged by PyTorch's fakes.

    Seen is what arrives below autograd on this thread, backward passes included. Not seen: other threads. Calls on tensor
    subclasses (DTensor) are told once, and the calls that they make are judged. Calls on sparse or quantized tensors, symbolic sizes and dtypes that ersatz has not are counted as skipped, by reason.

    exclude: operators that are left out on purpose, by name or pattern (`mylib.*`): their calls make no report unclean. bytes: storages
    of up to so many bytes are compared before and after the first three calls of each of the user's operators; 0: none.
    name: of the run, in reports. waivers: a file of findings that have a reason (docs/crosscheck.md). strides: compare strides.
    stop_at_first: raise `errors.RuntimeError` at the first finding, after the call. native: by the glue (`ersatz.torch.glue`);
    None: where it is built. device: `xpu=cpu`, `xpu=cuda` or `xpu=FILE` predicts tensors on xpu by the rules of that device, or by the
    strides of calls that FILE recorded there. xpu, npu, mps, musa, mtia, hpu and privateuseone have the rules of cuda without it.
    None: where it is built. compiled: judge graphs that inductor compiles as `watch_compiles` does, and compare the inputs of each run
    of their code with what the code was compiled for. Runs of code of judged graphs leave the report clean, and the report says that
    nobody sees what their kernels do. Inductor then takes no graph from its cache.
    gradients: compare `requires_grad`, leaf-ness, `grad_fn` and views of results with ersatz's own engine too, and say of which operators
    of the user's nobody has registered a backward. It costs some tens of microseconds for each call that a gradient goes through.
    """

    supports_higher_order_operators = True

    def __init__(self, *, name: str = "live", waivers: str | os.PathLike[str] | None = None, strides: bool = True,
                 stop_at_first: bool = False, exclude: Sequence[str] = (), bytes: int = 1 << 24, native: bool | None = None,
                 device: str = "", compiled: bool = False, gradients: bool = False) -> None:
        super().__init__()
        with hidden():  # the first session looks at some tensors of its own
            self._session = _ersatz.TorchCrosscheck(os.fspath(waivers) if waivers is not None else "", strides, stop_at_first, list(exclude),
                                                    device)
        self._where = self._session.where = self._line
        self._pieces = CompiledPieces(self._session) if compiled else None
        self._session.own_calls = OwnCalls(weakref.ref(self))
        self._session.groups = groups
        self._session.watched_bytes = bytes
        self._call = self._session.call
        self._watches = False  # the glue does, on this thread
        self._gradients = GradientWatch(self._session, self._line) if gradients else None
        self.report = LiveReport(self._session, name, self._gradients)
        self.native = glue.load() if native is None else native
        if self.native and not glue.load():
            raise errors.RuntimeError(f"crosscheck: no native glue for torch {torch.__version__}: run `python -m ersatz build-glue`")

    def _line(self) -> str:
        """The user's line of the call at hand. In inductor's code it is the line that the call was generated of, where that is known."""
        frame = users_frame(sys._getframe(1))
        return self._pieces is not None and frame is not None and self._pieces.line(frame) or _line_at(frame)

    def compiled_code_runs(self, code: Any, inputs: Any) -> Callable[[Any], None] | None:
        """Counts a run of inductor's code, and compares its inputs where its graph was judged."""
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
                return NotImplemented  # the subclass handles the call, and what it calls comes here
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
        else:  # one of the glue at a time on a thread
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
    """While it lasts, findings of the crosscheck name the line that `where` returns."""
    before, of._where = of._where, where
    of._session.where = where
    try:
        yield
    finally:
        of._where = of._session.where = before
