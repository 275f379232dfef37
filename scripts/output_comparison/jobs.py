"""The commands that are run. A job has a name and tasks; a task has a file name and commands."""
import dataclasses
import typing

RECORD_MODES = {"plain": [], "no-real": ["--no-real"], "cuda": ["--device", "cuda", "--no-real"], "symbolic": ["--symbolic"]}
PROGRAM_COMMANDS = {"crosscheck": ["crosscheck", "--keep-going"], "fake": ["fake", "--keep-going"], "propagate": ["propagate", "--keep-going"],
                    "sizes": ["crosscheck", "--keep-going", "--sizes", "3"]}
SHARDS = 64              # number of shards of `validate --all`
SEQUENCES = 10  # runs of fuzz_calls in each mode, with different seeds
CALLS = 100_000  # number of calls of each run; 34,000 in modes other than plain
CHANGED = 5  # one of this number of recorded calls is changed


@dataclasses.dataclass
class Task:
    job: str
    file: str
    commands: list[typing.Callable]  # functions from a build to its command


def of_program(name, *arguments):
    return lambda build: [build.program(name), *arguments]


def ersatz(*arguments):
    return of_program("ersatz", *arguments)


def sample(items, share):
    """Every `share`-th item; at least one if there is one."""
    return items[::share]


def record_tasks(files):
    for mode, options in RECORD_MODES.items():
        for file in files:
            yield Task(f"records {mode}", file.name, [ersatz("crosscheck", file, "--json", "--jobs", "1", *options)])
    for file in files:
        yield Task("records text", file.name, [ersatz("crosscheck", file, "--jobs", "1")])


def changed_tasks(files):
    """Recorded calls with one changed field, the output of change_records for them, and the findings in each report
    format."""
    for file in files:
        forms = [ersatz("crosscheck", "changed.jsonl", "--waivers", "none", "--jobs", "1", "--every-finding", "--format", form)
                 for form in ("json", "text", "sarif", "junit", "html")]
        changes = of_program("change_records", file, "--every", str(CHANGED), "--work", ".", "--verbose")
        yield Task("changed records", file.name, [changes, *forms])


def program_tasks(programs):
    def with_plugin(command, options, file, form):
        return lambda build: [build.program("ersatz"), command, file, *options, "--format", form, "--plugin", build.plugin]

    for job, (command, *options) in PROGRAM_COMMANDS.items():
        for name, file in programs:
            yield Task(f"programs {job}", name, [with_plugin(command, options, file, form) for form in ("json", "text")])


def validate_tasks(shards):
    for shard in shards:
        yield Task("validate", f"shard {shard}", [ersatz("validate", "--all", "--json", "--jobs", "1", "--shard", shard)])


def sequence_tasks(seeds, calls):
    for mode in ("plain", "cache", "propagate"):
        count = calls if mode == "plain" else calls * 34 // 100
        for seed in seeds:
            yield Task(f"sequences {mode}", f"seed {seed}",
                       [of_program("fuzz_calls", "--keep-going", "--mode", mode, "--calls", str(count), "--seed", str(seed))])


def tasks(records, programs, quick):
    """All tasks, and a text that describes them."""
    files, some = sorted(records), sample if quick else lambda items, share: items
    chosen, changed, models = some(files, 16), some(files, 16), some(programs, 8)
    shards = some([f"{n}/{SHARDS}" for n in range(1, SHARDS + 1)], 16)
    seeds = some(list(range(SEQUENCES)), SEQUENCES)
    calls = CALLS // 5 if quick else CALLS
    every = f"{len(chosen)} of {len(files)} files of recorded calls, {len(models)} of {len(programs)} programs, " \
            f"{len(shards)} of {SHARDS} shards of `validate --all`, {len(seeds)} of {SEQUENCES} seeds with {calls:,} calls"
    found = [*record_tasks(chosen), *changed_tasks(changed), *program_tasks(models), *validate_tasks(shards), *sequence_tasks(seeds, calls)]
    return found, every
