"""`ERSATZ_RECORD=run.jsonl python train.py` records a run without changes to its code.

The installed wheel has `ersatz_record.pth`, which Python reads at startup. If the variable is set, it imports this
file, which waits until the program imports torch. A program that never imports torch is not touched, and neither ersatz
nor torch is imported for it. Without the variable nothing else happens. To switch it off, leave the variable unset, use
`python -S`, or delete the `.pth` file.

`{pid}` in the path becomes the process id. Without it, the process that was started with the variable writes the path
itself, and its child processes write `run.PID.jsonl` in the same folder. ERSATZ_RECORD_VALUES=1 records the elements of
small tensors too. An error in this code is one line on stderr, and the program continues.
"""

import atexit
import importlib.util
import os
import sys

_STARTED_BY = "ERSATZ_RECORD_PID"  # id of the process that writes the path itself


def _path():
    path, pid = os.path.abspath(os.environ["ERSATZ_RECORD"]), os.getpid()
    if "{pid}" in path:
        return path.replace("{pid}", str(pid))
    if os.environ.setdefault(_STARTED_BY, str(pid)) == str(pid):
        return path
    stem, suffix = os.path.splitext(path)
    return f"{stem}.{pid}{suffix}"


def _complain(error):
    print(f"ersatz: ERSATZ_RECORD={os.environ.get('ERSATZ_RECORD')}: nothing is recorded: {type(error).__name__}: {error}", file=sys.stderr)


def _start():
    from ersatz.torch import record, watch_compiles

    values, gradients = (os.environ.get(name, "0") not in ("", "0") for name in ("ERSATZ_RECORD_VALUES", "ERSATZ_RECORD_GRADIENTS"))
    recorder = record(_PATH, values=values, gradients=gradients)
    recorder.__enter__()
    watch = watch_compiles()
    watch.start_when_imported()
    process = os.getpid()

    def end():
        if os.getpid() != process:
            return
        try:
            recorder.__exit__(None, None, None)
        except Exception:
            pass  # the program left another mode active above this one; all lines are in the file already
        watch.stop()
        if watch.report.graphs:
            print(watch.report.closing_line if watch.report.clean else watch.report, file=sys.stderr)
        if not _IS_FIRST and not recorder.recorded:
            os.unlink(_PATH)  # the process imported torch but called no operator

    atexit.register(end)


class _Waits:
    """A finder that handles only torch, once, through the other finders."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        loader = spec and spec.loader
        if not hasattr(loader, "exec_module"):
            return spec
        load = loader.exec_module

        def exec_module(module):
            load(module)
            try:
                _start()
            except Exception as e:
                _complain(e)

        loader.exec_module = exec_module  # the attribute of this loader object, which loads only torch
        return spec


_PATH = _path()
_IS_FIRST = os.environ.get(_STARTED_BY) == str(os.getpid())
sys.meta_path.insert(0, _Waits())
