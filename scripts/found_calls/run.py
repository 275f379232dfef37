"""Runs lines with a Python that has PyTorch: each line is executed after both.py, in one process until a line ends it."""
import json
import pathlib
import subprocess

BOTH = pathlib.Path(__file__).with_name("both.py")
MOST_SECONDS = 30  # time limit of a line

# Reads lines as JSON strings from stdin, and prints [output] or an error for each.
CHILD = """
import contextlib, io, json, signal, sys, warnings
warnings.simplefilter("ignore")
before = {"__file__": sys.argv[1]}
exec(compile(open(sys.argv[1]).read(), "both.py", "exec"), before)
print(json.dumps(before["torch"].__version__.split("+")[0]), flush=True)
for line in sys.stdin:
    signal.alarm(int(sys.argv[2]))
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            eval(json.loads(line), dict(before))
        said = [printed.getvalue()]
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
    signal.alarm(0)
    print(json.dumps(said), flush=True)
"""


def run(python, lines):
    """(version of PyTorch, an answer for each line): (eager, other), or a text with the reason why there is none."""
    version, answers = "", []
    while len(answers) < len(lines) or not version:
        rest = lines[len(answers):]
        done = subprocess.run([python, "-B", "-c", CHILD, BOTH, str(MOST_SECONDS)], input="".join(json.dumps(line) + "\n" for line in rest), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        said = [json.loads(line) for line in done.stdout.splitlines() if line.endswith(("]", '"'))]
        if not said:
            raise OSError(f"{python} has no PyTorch that runs both.py (status {done.returncode})")
        version = said[0]
        answers += [sides_of(a[0]) if isinstance(a, list) else a for a in said[1:]]
        if len(said) - 1 < len(rest):
            answers.append(f"the line ended Python with status {done.returncode}")
    return version, answers


def sides_of(printed):
    """The texts of the two lines that `said` of both.py prints, which begin in one column."""
    first, second = printed.splitlines()
    column = len(first) - len(first.removeprefix("eager").lstrip())
    return first[column:], second[column:]
