from collections.abc import Sequence


class Tensor:
    """
    A tensor, real or fake: metadata in ATen's terms, and data where it is real.
    """

    @property
    def dtype(self) -> str:
        """The short name: 'f32'."""

    @property
    def device(self) -> str:
        """'cpu', 'cuda:0', 'meta'."""

    @property
    def shape(self) -> tuple:
        """The sizes."""

    @property
    def strides(self) -> tuple:
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
    def requires_grad(self) -> bool: ...

    def is_contiguous(self) -> bool:
        """Row-major?"""

    def shares_storage(self, other: Tensor) -> bool:
        """Are the two views of one storage?"""

    def item(self) -> object:
        """The value of a tensor of one element. A fake has none: RuntimeError."""

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

    def __dlpack__(self, **kwargs) -> object: ...

    def __dlpack_device__(self) -> tuple: ...

def fake(meta: str) -> Tensor:
    """
    A fake tensor of that metadata: fake('f32[2,3]{1,2}@cuda:0'). Strides, offset and device may be left out.
    """

def from_dlpack(array: object) -> Tensor:
    """
    A tensor on the memory of an array of another library, which is not copied.
    """

class FakeMode:
    """
    In it operators return fakes: metadata, no data. A context manager, of its thread.
    """

    def __init__(self) -> None: ...

    def __enter__(self) -> object: ...

    def __exit__(self, *args) -> None: ...

    def from_tensor(self, tensor: object) -> Tensor:
        """The fake of a tensor or array: the same one each time while both live."""

class Operator:
    """One overload of an operator; called with the arguments of its schema."""

    @property
    def name(self) -> str:
        """'aten.add.Tensor'."""

    @property
    def schema(self) -> str:
        """As ATen spells it."""

    def __call__(self, *args, **kwargs) -> object: ...

    def __repr__(self) -> str: ...

    """
    The operator of that name ('aten.add.Tensor', 'aten::add.Tensor'), or None.
    """
def find_operator(name: str) -> Operator | None: ...

def operator_names() -> list[str]:
    """Every operator, sorted by name."""

def load_plugin(path: str) -> list[str]:
    """Registers the operators of a shared library; returns their names."""

def finding_text(node: str, op: str, result: int, field: str, predicted: str, witness: str, observed: str, source: str) -> str:
    """A finding as one line."""

def run_command(arguments: Sequence[str]) -> int:
    """
    Runs a command as `ersatz ARGUMENTS...` does, with its output; returns its exit status.
    """

def watch_signals() -> None:
    """
    Takes signals over from Python, as the program has them: the first SIGINT ends a command with what it has found, the second one the process.
    """

class TorchCrosscheck:
    """The session of a live crosscheck of PyTorch."""

    def __init__(self, waivers: str = '', strides: bool = True, stop_at_first: bool = False) -> None: ...

    def call(self, func: object, args: object, kwargs: object) -> object: ...

    @property
    def where(self) -> object: ...

    @where.setter
    def where(self, arg: object, /) -> None: ...

    def text(self, input: str) -> str: ...

    def closing_line(self) -> str: ...

    def json(self, input: str) -> str: ...

    def html(self, input: str) -> str: ...

__version__: str
