"""scripts/docker_steps reads the Dockerfile as Docker does. Only the instructions that the Dockerfile uses are tested."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def loaded():
    loader = importlib.machinery.SourceFileLoader("docker_steps", str(ROOT / "scripts/docker_steps"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("docker_steps", loader))
    loader.exec_module(module)
    return module


docker_steps = loaded()


class DockerSteps(unittest.TestCase):
    def test_build_arguments_reach_steps_not_the_programs_environment(self):
        text = 'FROM debian:trixie-slim\nARG W\nARG T=1\nRUN a "$T"\nENV PATH=/v/bin:$T\nCOPY ${W} /w/\nWORKDIR /x\nENTRYPOINT ["p"]\nCMD ["-h"]\n'
        suite, steps, program = docker_steps.planned(text, {"W": "a.whl", "T": ""})
        self.assertEqual(suite, "trixie")
        self.assertEqual(steps, [("RUN", 'a "$T"', {"W": "a.whl", "T": ""}), ("COPY", "a.whl /w/", {"W": "a.whl", "T": "", "PATH": "/v/bin:"}),
                                 ("WORKDIR", "/x", {"W": "a.whl", "T": "", "PATH": "/v/bin:"})])
        self.assertEqual(program, {"ENTRYPOINT": ["p"], "CMD": ["-h"], "ENV": {"PATH": "/v/bin:"}})

    def test_dockerfile_needs_only_the_wheel_argument(self):
        with self.assertRaisesRegex(ValueError, r"^--build-arg WHEEL=\.\.\. is missing$"):
            docker_steps.planned(DOCKERFILE, {})
        suite, steps, program = docker_steps.planned(DOCKERFILE, {"WHEEL": "a.whl"})
        self.assertEqual((suite, program["ENTRYPOINT"]), ("bookworm", ["ersatz"]))
        self.assertIn(("COPY", "a.whl /tmp/wheel/"), [step[:2] for step in steps])
        for name, rest, _ in steps:
            if name == "RUN":
                subprocess.run(["sh", "-n", "-c", rest], check=True)

    def test_what_it_does_not_know_is_named(self):
        with self.assertRaisesRegex(ValueError, "Dockerfile: HEALTHCHECK NONE: no step that"):
            docker_steps.planned("FROM debian:bookworm\nHEALTHCHECK NONE\n", {})
        with self.assertRaisesRegex(ValueError, "--build-arg WHEEEL: the Dockerfile has no such ARG"):
            docker_steps.planned(DOCKERFILE, {"WHEEL": "a.whl", "WHEEEL": "a.whl"})

    def test_copy_takes_a_context_file_and_makes_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            self.assertEqual(docker_steps.step(root, ROOT, "COPY", "Dockerfile /tmp/wheel/", {}), 0)
            self.assertEqual(docker_steps.step(root, ROOT, "WORKDIR", "/work", {}), 0)
            self.assertEqual((root / "tmp/wheel/Dockerfile").read_text(encoding="utf-8"), DOCKERFILE)
            self.assertTrue((root / "work").is_dir())

    def test_step_runs_below_root_with_its_environment_alone(self):
        with mock.patch("subprocess.run") as called:
            called.return_value.returncode = 3
            self.assertEqual(docker_steps.step("/r", ROOT, "RUN", 'exit "$T"', {"T": "3"}), 3)
        self.assertEqual(called.call_args.args[0], ["chroot", "/r", "/usr/bin/env", "-i", "--chdir=/", "T=3", "/bin/sh", "-c", 'exit "$T"'])


if __name__ == "__main__":
    unittest.main()
