from collections.abc import Callable, Sequence
import os
from typing import Any


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

    @property
    def requires_grad(self) -> bool:
        """Does autograd follow it?"""

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

    __array_priority__: int = 1000

def fake(meta: str | None = None, like: Any = None) -> Tensor:
    """
    A fake tensor of that metadata: fake('f32[2,3]{1,2}@cuda:0'). Strides, offset and device may be left out.
    like: of the metadata of this tensor or array.
    """

def from_dlpack(array: Any) -> Tensor:
    """
    A tensor on the memory of an array of another library, which is not copied: of what has __dlpack__, or the buffer protocol.
    """

class FallbackEvent:
    """A real kernel that a mode ran on made-up inputs, for want of a rule."""

    @property
    def op(self) -> str:
        """The operator's name."""

    @property
    def reason(self) -> str:
        """Why no rule answered."""

    @property
    def fill(self) -> str:
        """What the inputs held: 'zeros'."""

    @property
    def bytes(self) -> int:
        """Of made-up inputs."""

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
        """The fake of a tensor or array: the same one each time while both live."""

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
        """As ATen spells it."""

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
    Registers the operators of a shared library; returns their names. Warns of those whose functions do not fit their schemas, which are left out.
    """

def finding_text(json: str) -> str:
    """A finding of a JSON report as one line."""

class CommandAnswer:
    """What a command answers, in each form."""

    @property
    def status(self) -> str:
        """'clean', 'findings', ..."""

    @property
    def text(self) -> str:
        """As the command prints it."""

    @property
    def json(self) -> str:
        """As --json writes it."""

    @property
    def page(self) -> Callable[[], str]:
        """Makes what --html writes."""

class FakeAnswer(CommandAnswer):
    """What `ersatz fake` answers."""

def crosscheck(path: str, *, device: str = '', backend: str = '', reference: str = '', inputs: str = '', expect: str = '', facts: str = '', seed: int = 0, no_real: bool = False, keep_going: bool = False, no_bytes: bool = False, descend: bool = False, waivers: str = '', known_wrong: str = '', today: str = '', sizes: int = 0, dynamic: Sequence[str] = [], symbolic: bool = False, only: Sequence[str] = [], ids: Sequence[str] = [], limit: int = -1, jobs: int = 0, repros: str = '', plugins: Sequence[str] = [], text: str | None = None) -> CommandAnswer:
    """
    `ersatz crosscheck`: its answer. `text`: what a file of the name `path` would have, a text with graphs.
    """

def run_fake(path: str, *, device: str = '', backend: str = '', fallback: str = 'rule', keep_going: bool = False, fixed: bool = False, cases: int = 8, dynamic: Sequence[str] = [], rules: Sequence[str] = [], plugins: Sequence[str] = []) -> FakeAnswer:
    """`ersatz fake`: its answer."""

class LoadedProgram:
    """A program that was read from a file."""

    def show(self, *, table: bool = False, python: bool = False, inline_values: bool = False) -> str:
        """What `ersatz show` prints."""

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

    def call(self, func: object, args: object, kwargs: object) -> object: ...

    def count_unseen(self, name: str, why: str) -> None: ...

    def add_compiled(self, report: str, *, graphs: int = 0, nodes: int = 0, runs: int = 0, inputs: int = 0) -> None: ...

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

    def text(self, input: str) -> str: ...

    def closing_line(self) -> str: ...

    def json(self, input: str) -> str: ...

    def html(self, input: str) -> str: ...

class TorchValidation:
    """Recorded calls of an op, each judged by itself."""

    def __init__(self, path: str) -> None: ...

    def found(self) -> list[tuple[int, str, int]]: ...

    def make_small(self, number: int, make: Callable, most: int) -> None: ...

    def record(self, number: int) -> str: ...

    def place(self, number: int, first: str, to_change: str) -> None: ...

    def text(self, note: str = '') -> str: ...

    def json(self, input: str) -> str: ...

    def html(self, input: str) -> str: ...

class TorchMetadata:
    """What a run of a graph of torch.fx answered."""

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
