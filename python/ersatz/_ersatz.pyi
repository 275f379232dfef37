from collections.abc import Callable, Mapping, Sequence
import os
from typing import Any, overload


import collections.abc
import os
import typing

from numpy.typing import DTypeLike, NDArray

__version__: str

class Tensor:
    """
    A tensor, real or fake: metadata in ATen's terms, and data where it is real.

    Operators of Python are the operators that PyTorch calls for them.
    """

    def __hash__(self, /) -> int: ...

    def __lt__(self, other: typing.Any, /) -> Tensor: ...

    def __le__(self, other: typing.Any, /) -> Tensor: ...

    def __eq__(self, other: typing.Any, /) -> Tensor: ...  # type: ignore[override]

    def __ne__(self, other: typing.Any, /) -> Tensor: ...  # type: ignore[override]

    def __gt__(self, other: typing.Any, /) -> Tensor: ...

    def __ge__(self, other: typing.Any, /) -> Tensor: ...

    def __iter__(self, /) -> collections.abc.Iterator[Tensor]: ...

    def __add__(self, other: typing.Any, /) -> Tensor: ...

    def __radd__(self, other: typing.Any, /) -> Tensor: ...

    def __sub__(self, other: typing.Any, /) -> Tensor: ...

    def __rsub__(self, other: typing.Any, /) -> Tensor: ...

    def __mul__(self, other: typing.Any, /) -> Tensor: ...

    def __rmul__(self, other: typing.Any, /) -> Tensor: ...

    def __mod__(self, other: typing.Any, /) -> Tensor: ...

    def __rmod__(self, other: typing.Any, /) -> Tensor: ...

    def __pow__(self, other: typing.Any, /) -> Tensor: ...

    def __rpow__(self, other: typing.Any, /) -> Tensor: ...

    def __neg__(self, /) -> Tensor: ...

    def __pos__(self, /) -> Tensor: ...

    def __abs__(self, /) -> Tensor: ...

    def __bool__(self, /) -> bool: ...

    def __invert__(self, /) -> Tensor: ...

    def __lshift__(self, other: typing.Any, /) -> Tensor: ...

    def __rlshift__(self, other: typing.Any, /) -> Tensor: ...

    def __rshift__(self, other: typing.Any, /) -> Tensor: ...

    def __rrshift__(self, other: typing.Any, /) -> Tensor: ...

    def __and__(self, other: typing.Any, /) -> Tensor: ...

    def __rand__(self, other: typing.Any, /) -> Tensor: ...

    def __xor__(self, other: typing.Any, /) -> Tensor: ...

    def __rxor__(self, other: typing.Any, /) -> Tensor: ...

    def __or__(self, other: typing.Any, /) -> Tensor: ...

    def __ror__(self, other: typing.Any, /) -> Tensor: ...

    def __int__(self, /) -> int: ...

    def __float__(self, /) -> float: ...

    def __iadd__(self, other: typing.Any, /) -> Tensor: ...

    def __isub__(self, other: typing.Any, /) -> Tensor: ...

    def __imul__(self, other: typing.Any, /) -> Tensor: ...

    def __imod__(self, other: typing.Any, /) -> Tensor: ...

    def __ipow__(self, other: typing.Any, /) -> Tensor: ...

    def __ilshift__(self, other: typing.Any, /) -> Tensor: ...

    def __irshift__(self, other: typing.Any, /) -> Tensor: ...

    def __iand__(self, other: typing.Any, /) -> Tensor: ...

    def __ixor__(self, other: typing.Any, /) -> Tensor: ...

    def __ior__(self, other: typing.Any, /) -> Tensor: ...

    def __floordiv__(self, other: typing.Any, /) -> Tensor: ...

    def __rfloordiv__(self, other: typing.Any, /) -> Tensor: ...

    def __truediv__(self, other: typing.Any, /) -> Tensor: ...

    def __rtruediv__(self, other: typing.Any, /) -> Tensor: ...

    def __ifloordiv__(self, other: typing.Any, /) -> Tensor: ...

    def __itruediv__(self, other: typing.Any, /) -> Tensor: ...

    def __index__(self, /) -> int: ...

    def __matmul__(self, other: typing.Any, /) -> Tensor: ...

    def __rmatmul__(self, other: typing.Any, /) -> Tensor: ...

    def __len__(self, /) -> int: ...

    def __getitem__(self, other: typing.Any, /) -> Tensor: ...

    @property
    def dtype(self) -> str:
        """The short name: 'f32'."""

    @property
    def device(self) -> str:
        """'cpu', 'cuda:0', 'meta'."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes."""

    @property
    def strides(self) -> tuple[int, ...]:
        """In elements."""

    @property
    def storage_offset(self) -> int:
        """In elements."""

    @property
    def ndim(self) -> int:
        """The rank."""

    @property
    def numel(self) -> int:
        """How many elements."""

    @property
    def is_fake(self) -> bool:
        """Without data?"""

    def is_contiguous(self) -> bool:
        """Row-major?"""

    def shares_storage(self, other: Tensor) -> bool:
        """Are the two views of one storage?"""

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

    def item(self) -> bool | int | float | complex:
        """The value of a tensor of one element. A fake has none: RuntimeError."""

    def numpy(self) -> NDArray[typing.Any]:
        """A NumPy array of the same memory. bf16 needs ml_dtypes."""

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[typing.Any]: ...

    def __complex__(self) -> complex: ...

    def __dlpack__(self, **kwargs: Any) -> Any: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...

    @property
    def requires_grad(self) -> bool:
        """Does autograd follow it?"""

    @requires_grad.setter
    def requires_grad(self, arg: bool, /) -> None: ...

    @property
    def is_leaf(self) -> bool:
        """Was it made by no call that autograd followed?"""

    @property
    def grad_fn(self) -> Node | None:
        """The node that made it; None of a leaf."""

    @property
    def grad(self) -> Tensor | None:
        """The sum of the gradients of backward runs; None: there was none."""

    @grad.setter
    def grad(self, gradient: Tensor | None, /) -> None: ...

    def retain_grad(self) -> None:
        """Keeps the gradient of a tensor that is no leaf."""

    @property
    def retains_grad(self) -> bool:
        """Is it no leaf, and does it keep its gradient?"""

    @property
    def is_parameter(self) -> bool:
        """Was it made of a parameter of PyTorch?"""

    def is_inference(self) -> bool:
        """Was it made in inference mode?"""

    def detach(self) -> Tensor:
        """A tensor on the same memory, without its history."""

    def backward(self, gradient: Tensor | None = None, retain_graph: bool | None = None, create_graph: bool = False) -> None:
        """Adds the gradients of this tensor up in the leaves' `grad`."""

    __array_priority__: int = 1000

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """
        Says of a leaf whether autograd follows it; returns the tensor.
        """

    @property
    def _base(self) -> Tensor | None:
        """The tensor that it is a view of, as autograd sees it."""

    def _is_view(self) -> bool:
        """Does autograd see it as a view?"""

def fake(meta: str | None = None, like: Any = None) -> Tensor:
    """
    A fake tensor of that metadata: fake('f32[2,3]{1,2}@cuda:0'). Strides, offset and device may be left out.
    like: of the metadata of this tensor or array.
    """

def from_dlpack(array: Any) -> Tensor:
    """
    A tensor on the memory of an array of another library, which is not copied: of what has __dlpack__, or the buffer protocol.
    """

class Node:
    """The node of the graph that made a tensor that requires a gradient."""

    def name(self) -> str:
        """'MulBackward0', as PyTorch says."""

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """
        The nodes that it hands gradients to, each with the number of the input; None: no gradient is wanted.
        """

    @property
    def variable(self) -> Tensor | None:
        """The leaf of an AccumulateGrad; None of other nodes."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def backward(tensors: Tensor | Sequence[Tensor], grad_tensors: Tensor | Sequence[Tensor | None] | None = None, retain_graph: bool | None = None, create_graph: bool = False) -> None:
    """Adds the gradients of these tensors up in the leaves' `grad`."""

def grad(outputs: Tensor | Sequence[Tensor], inputs: Tensor | Sequence[Tensor], grad_outputs: Tensor | Sequence[Tensor | None] | None = None, retain_graph: bool | None = None, create_graph: bool = False, allow_unused: bool = False) -> tuple[Tensor | None, ...]:
    """
    The gradients with respect to `inputs`, leaves or not; no `grad` changes.
    """

def swap_grad_modes(grad_mode: bool, inference: bool) -> tuple[bool, bool]:
    """
    Sets whether this thread records calls and whether it is in inference mode; returns what was set before.
    """

def is_grad_enabled() -> bool:
    """Are calls of this thread recorded?"""

def is_inference_mode_enabled() -> bool:
    """Is this thread in inference mode?"""

class FallbackEvent:
    """
    A kernel that a mode ran on synthetic inputs because the op has no rule.
    """

    @property
    def op(self) -> str:
        """The operator's name."""

    @property
    def reason(self) -> str:
        """Why no rule answered."""

    @property
    def fill(self) -> str:
        """The values of the synthetic inputs: 'zeros'."""

    @property
    def bytes(self) -> int:
        """Bytes of the synthetic inputs."""

    @property
    def nanoseconds(self) -> int:
        """Filling, kernel and mapping."""

    @property
    def numbers(self) -> int:
        """Results that are numbers: they come from the fill, not from data."""

    @property
    def failed(self) -> bool:
        """Did the kernel raise?"""

    def __repr__(self) -> str: ...

class FakeMode:
    """
    In it operators return fakes: metadata, no data. A context manager, of its thread.

    fallback: of operators without a rule: 'rule' as they declare, 'zeros' their kernels run on zeros, 'refuse' none does.
    allow_data_dependent: they fall back too where sizes depend on data.
    allow_non_fake_inputs: real tensors among the arguments are converted.
    data_symbols: sizes that depend on data are symbols, 'u0'.
    backend: which GPU and libraries cuda means in its scope: 'sm_90,cudnn=91900'.
    """

    def __init__(self, *, fallback: str = 'rule', allow_data_dependent: bool = False, allow_non_fake_inputs: bool = False, data_symbols: bool = False, backend: str = '') -> None: ...

    def __enter__(self) -> FakeMode: ...

    def __exit__(self, *error: object) -> None: ...

    def from_tensor(self, tensor: Any) -> Tensor:
        """
        The fake of a tensor or array: the same one each time while both live. For a tensor of PyTorch it has autograd's facts: requires_grad, is_leaf, the base of a view, grad, and whether it is a parameter.
        """

    @property
    def fallbacks(self) -> list[FallbackEvent]:
        """Every fallback that the mode ran, oldest first."""

class Operator:
    """One overload of an operator; called with the arguments of its schema."""

    @property
    def name(self) -> str:
        """'aten.add.Tensor'."""

    @property
    def schema(self) -> str:
        """The schema, as ATen spells it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def __repr__(self) -> str: ...

def find_operator(name: str) -> Operator | None:
    """
    The operator of that name ('aten.add.Tensor', 'aten::add.Tensor'), or None.
    """

def call_overload(overloads: Sequence[Operator], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """
    Calls the first overload whose schema takes the arguments as they are, else the first that takes them converted.
    """

def operator_names() -> list[str]:
    """Every operator, sorted by name."""

def load_plugin(path: str | os.PathLike[str]) -> list[str]:
    """
    Registers the operators of a shared library; returns their names. Warns of ops whose functions do not fit their schemas, which are left out.
    """

class Finding:
    """One field in which a prediction and what was observed differ."""

    def __init__(self, op: str, node: str, result: int, field: str, predicted: str, observed: str, witness: str, verdict: str, words: str, cause: str, source: str, args: Sequence[str], repro: str, times: int = 1) -> None: ...

    @property
    def op(self) -> str:
        """The operator's canonical name, `aten.add.Tensor`."""

    @property
    def node(self) -> str:
        """The call's name in its program; empty in a live run."""

    @property
    def result(self) -> int:
        """
        Index of the result, counted flat; -1: the call as a whole, or an argument.
        """

    @property
    def field(self) -> str:
        """
        `dtype`, `size`, `stride`, `offset`, `device`, `alias`, `mutation`, `error`, `unwritten`, `undeclared_write`, ...
        """

    @property
    def predicted(self) -> str:
        """Answer of the rule, or of the fake; metadata in canonical spelling."""

    @property
    def observed(self) -> str:
        """Answer of the witness."""

    @property
    def witness(self) -> str:
        """The witness: `eager`, `kernel`, `record`, `device`, `declaration`."""

    @property
    def verdict(self) -> str:
        """`significant`, or the problem in words."""

    @property
    def words(self) -> str:
        """The difference in PyTorch's words; empty for other fields."""

    @property
    def cause(self) -> str:
        """
        The author of the answer, the operand that decided, and the witness's evidence; empty if they are not known.
        """

    @property
    def source(self) -> str:
        """
        The user's line: `train.py:12 in forward: y = mix(x)`; empty where it is not known.
        """

    @property
    def args(self) -> tuple[str, ...]:
        """The call's arguments in canonical spelling."""

    @property
    def repro(self) -> str:
        """
        A call record or a program of text form that `ersatz crosscheck` takes, and that shows the finding again; may be empty.
        """

    @property
    def times(self) -> int:
        """How often it was found at this place."""

    def to_json(self) -> str:
        """
        The finding as an object of JSON, with the keys that it has in reports.
        """

    @staticmethod
    def from_json(json: str, times: int = 1) -> Finding:
        """The finding that is written so in a report."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

def why_not_clean(compared: int, unjudged: Mapping[str, int]) -> str:
    """
    Returns why a run without findings is not clean, as its closing line has it; empty if it is clean. `unjudged`: calls of the user's own operators that nothing judged, by operator.
    """

class Report:
    """A report: compared results, differences, and skipped results."""

    @overload
    def __init__(self, report: Report) -> None: ...

    @overload
    def __init__(self, json: str, text: str, page: Callable[[], str]) -> None: ...

    @property
    def input(self) -> str:
        """The checked input: a path, or a name for the live run."""

    @property
    def device(self) -> str: ...

    @property
    def status(self) -> str:
        """
        `clean`, `findings`, or `unjudged`: nothing was found, and nothing was compared or something of the user's own was not judged; `unusable` where operators are missing, `bug` where ersatz is at fault.
        """

    @property
    def nodes(self) -> int:
        """Calls that were seen and judged."""

    @property
    def results(self) -> int:
        """
        Tensors and numbers that they returned: those compared and those skipped.
        """

    @property
    def compared(self) -> int: ...

    @property
    def mismatched(self) -> int:
        """Number of compared results that differ."""

    @property
    def cosmetic(self) -> int:
        """Number of compared results with strides that differ without effect."""

    @property
    def waived(self) -> int: ...

    @property
    def values_compared(self) -> int:
        """Results whose values were compared too."""

    @property
    def skipped(self) -> dict[str, int]:
        """
        Results that were not compared, by reason: `unsupported`, `data_dependent`, `random`, `tainted`, `unwitnessed`, ...
        """

    @property
    def own_judged(self) -> int:
        """
        Calls of operators that ersatz has no rule of, compared with what their own fake kernels predict.
        """

    @property
    def own_unjudged(self) -> dict[str, int]:
        """Calls of the user's own operators that nothing judged, by operator."""

    @property
    def skipped_calls(self) -> dict[str, dict[str, int]]:
        """
        Calls of a live run that were not compared, by reason in words (`sparse layout`) and by operator.
        """

    @property
    def findings(self) -> tuple[Finding, ...]: ...

    @property
    def text(self) -> str:
        """The report as text; its last line is `closing_line`."""

    @property
    def json(self) -> str:
        """The report that `ersatz crosscheck --json` writes."""

    @property
    def html(self) -> str:
        """The report as one page that needs no network and no script."""

    @property
    def closing_line(self) -> str:
        """
        `crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`.
        """

class CommandAnswer:
    """The answer of a command, in each form."""

    @property
    def status(self) -> str:
        """'clean', 'findings', ..."""

    @property
    def text(self) -> str:
        """The answer as the command prints it."""

    @property
    def json(self) -> str:
        """The answer as --json writes it."""

class CrosscheckAnswer(CommandAnswer):
    """The answer of `ersatz crosscheck`."""

    def report(self) -> Report:
        """The report, as a value."""

class FakeAnswer(CommandAnswer):
    """The answer of `ersatz fake`."""

def crosscheck(path: str, *, device: str = '', backend: str = '', reference: str = '', inputs: str = '', expect: str = '', facts: str = '', seed: int = 0, no_real: bool = False, keep_going: bool = False, no_bytes: bool = False, descend: bool = False, waivers: str = '', known_wrong: str = '', today: str = '', sizes: int = 0, dynamic: Sequence[str] = [], symbolic: bool = False, only: Sequence[str] = [], ids: Sequence[str] = [], limit: int = -1, jobs: int = 0, repros: str = '', plugins: Sequence[str] = [], text: str | None = None) -> CrosscheckAnswer:
    """
    `ersatz crosscheck`: its answer. `text`: what a file of the name `path` would have, a text with graphs.
    """

def run_fake(path: str, *, device: str = '', backend: str = '', fallback: str = 'rule', keep_going: bool = False, fixed: bool = False, cases: int = 8, dynamic: Sequence[str] = [], rules: Sequence[str] = [], plugins: Sequence[str] = []) -> FakeAnswer:
    """`ersatz fake`: its answer."""

class LoadedProgram:
    """A program that was read from a file."""

    def show(self, *, table: bool = False, python: bool = False, inline_values: bool = False) -> str:
        """The text that `ersatz show` prints."""

    def rows(self) -> str:
        """
        Inputs, nodes and outputs as JSON, as `ersatz show --table --json` writes them.
        """

def holds_graphs(path: str) -> bool:
    """
    Is it a text with printed graphs, like fx_graph_runnable.py? It is read, and nothing of it is run.
    """

def load(path: str) -> LoadedProgram:
    """Reads a program."""

def run_command(arguments: Sequence[str]) -> int:
    """
    Runs a command as `ersatz ARGUMENTS...` does, with its output; returns its exit status.
    """

def report_as(json: str, form: str) -> str:
    """
    A report in JSON, in one of the forms that CI systems read: `sarif` or `junit`, as `ersatz crosscheck --format` writes them.
    """

class Document:
    """A report in lines, each of its kind, as the commands make theirs."""

    def __init__(self) -> None: ...

    def add(self, text: str) -> None:
        """The lines of a text; the last one heads those that follow it below."""

    def add_below(self, text: str) -> None:
        """A line below, with two spaces in front."""

    def add_term(self, name: str, says: str) -> None:
        """`  name: says`."""

    def add_code(self, text: str) -> None:
        """Each line with four spaces in front."""

    def add_text(self, text: str) -> None:
        """A text that keeps its columns, as it is."""

    @property
    def closing(self) -> str:
        """The last line, which sums up."""

    @closing.setter
    def closing(self, arg: str, /) -> None: ...

    def text(self) -> str:
        """The report as text."""

    def page(self, command: str, status: str) -> str:
        """The report as `ersatz COMMAND --format html` writes it."""

def watch_signals() -> None:
    """
    Takes signals over from Python, as the program has them: the first SIGINT ends a command with what it has found, the second one the process.
    """

class KeptRun:
    """
    A context in which a fake kernel may draw, switch and raise: random states of Python and of PyTorch's CPU, grad mode and default dtype are put back. No gradient is recorded in it.
    """

    def __init__(self) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *args) -> None: ...

class TorchCrosscheck:
    """The session of a live crosscheck of PyTorch."""

    def __init__(self, waivers: str = '', strides: bool = True, stop_at_first: bool = False, exclude: Sequence[str] = [], device: str = '') -> None: ...

    def judge_gradients(self, line: str, at: str) -> str: ...

    def add_gradient_finding(self, finding: Finding) -> None: ...

    def count_gradients(self, compared: int, left_out: Mapping[str, Mapping[str, int]]) -> None: ...

    def call(self, func: object, args: object, kwargs: object) -> object: ...

    def count_unseen(self, name: str, why: str) -> None: ...

    def add_compiled(self, report: Report | None, *, graphs: int = 0, nodes: int = 0, runs: int = 0, inputs: int = 0) -> None: ...

    def add_compiled_finding(self, finding: Finding) -> None: ...

    def subclass(self, type: object | None, name: str, modes: bool, fake: bool) -> int: ...

    def note_rank(self) -> None: ...

    def interface(self) -> int:
        """Address of the session's ErsatzLive (live_interface.h)."""

    @property
    def where(self) -> object: ...

    @where.setter
    def where(self, arg: object, /) -> None: ...

    @property
    def own_calls(self) -> object: ...

    @own_calls.setter
    def own_calls(self, arg: object, /) -> None: ...

    @property
    def groups(self) -> object: ...

    @groups.setter
    def groups(self, arg: object, /) -> None: ...

    @property
    def watched_bytes(self) -> int: ...

    @watched_bytes.setter
    def watched_bytes(self, arg: int, /) -> None: ...

    def closing_line(self) -> str: ...

    def report(self, input: str) -> Report:
        """The report on all calls up to now."""

class TorchValidation:
    """Recorded calls of an op, each judged by itself."""

    def __init__(self, path: str) -> None: ...

    def found(self) -> list[tuple[int, str, int]]: ...

    def make_small(self, number: int, make: Callable, most: int) -> None: ...

    def record(self, number: int) -> str: ...

    def place(self, number: int, first: str, to_change: str) -> None: ...

    def add_gradients(self, made: str) -> None: ...

    def report(self, input: str, note: str = '') -> Report:
        """The report. `note` is printed before the closing line."""

class PropagatePoint:
    """
    A call that reads data, or whose results have a size that data decides.
    """

    @property
    def op(self) -> str: ...

    @property
    def at(self) -> str: ...

    @property
    def dim(self) -> int | None: ...

    @property
    def dependents(self) -> list[str]: ...

    @property
    def outputs(self) -> list[str]: ...

    @property
    def name(self) -> str: ...

    def seen(self) -> str: ...

class PropagateFound:
    """A finding, and the runs that have it."""

    @property
    def field(self) -> str: ...

    @property
    def op(self) -> str: ...

    @property
    def at(self) -> str: ...

    @property
    def message(self) -> str: ...

    @property
    def more(self) -> list[str]: ...

    @property
    def takes(self) -> list[str]: ...

    @property
    def runs(self) -> list[int]: ...

    def text(self, runs: int) -> str:
        """The text that the report on so many runs prints."""

class PropagateAnswer:
    """A report on several runs of a model."""

    @property
    def points(self) -> list[PropagatePoint]: ...

    @property
    def findings(self) -> list[PropagateFound]: ...

    @property
    def seen(self) -> list[str]: ...

    @property
    def remarks(self) -> list[str]: ...

    @property
    def closing_line(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def json(self) -> str: ...

    @property
    def page(self) -> str: ...

class PropagateRuns:
    """
    Runs of a live model, recorded call by call. A site is a call in its text.
    """

    def __init__(self) -> None: ...

    def add_site(self, op: str, at: str, place: str) -> int:
        """A number for the call."""

    def begin(self, note: str) -> None: ...

    def add_point(self, site: int, dim: int | None, name: str, scope: str) -> None: ...

    def saw(self, site: int, text: str, integer: int | None = None) -> None: ...

    def depends(self, point: int, taker: int | None, site: int) -> None: ...

    def takes(self, site: int, integers: Sequence[int]) -> None: ...

    def output(self, point: int, taker: int | None, name: str) -> None: ...

    def made(self, site: int, *, nan: bool, count: int, elements: int, first: str, what: str, from_inf: bool, asked: bool, takes: Sequence[str]) -> None:
        """The call made NaN or Inf."""

    def stopped(self, site: int | None, message: str) -> None: ...

    def remark(self, text: str) -> None: ...

    def end(self, calls: int, results: int) -> None: ...

    def answer(self, input: str) -> PropagateAnswer:
        """The report on all runs."""

class TorchMetadata:
    """The answers of a run of a graph of torch.fx."""

    def names(self) -> list[str]: ...

    def value(self, arg: str, /) -> object: ...

    def meta(self, arg: str, /) -> str: ...

    @property
    def recorded(self) -> dict[str, str]: ...

    @property
    def by_fake(self) -> dict[str, str]: ...

    @property
    def answered(self) -> int: ...

class TorchGraph:
    """A graph of torch.fx as a list of calls."""

    def __init__(self, graph: object, module: object, given: dict) -> None: ...

    def ask_fakes(self, predict: object) -> None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def left_out(self) -> list[str]: ...

    def run(self, device: str | None, keep_going: bool, given: dict) -> TorchMetadata: ...

def crosscheck_graph(graph: object, name: str) -> CrosscheckAnswer:
    """
    The answer of `ersatz crosscheck` for a torch.fx graph, from the `meta["val"]` of its nodes.
    """

class TorchAnswers:
    """Answers calls under PyTorch's FakeTensorMode, and counts them."""

    def __init__(self) -> None: ...

    def answer(self, mode: object, func: object, args: object, kwargs: object, unanswered: object) -> object: ...

    @property
    def asked(self) -> int: ...

    @property
    def answered(self) -> int: ...

    @property
    def refused(self) -> dict[str, int]: ...

    def answered_by_op(self) -> dict[str, int]: ...
