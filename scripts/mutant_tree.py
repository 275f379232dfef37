"""Makes a copy of the working tree or of a commit, with its own build, in which lines can be broken without a change of the tree
itself.
"""
import os
import shutil
import subprocess


class MutantTree:
    def __init__(self, root, folder):
        self.root = root
        self.source = folder
        self.build = self.source / "build"  # inside the tree, so that compiler caches see equal relative paths

    def sync(self, changed=None):
        """Makes the copy equal to the working tree, except for `changed`: path -> text. Files that are equal already
        are not touched."""
        changed = changed or {}
        if (self.source / ".git").exists():
            raise ValueError(f"{self.source} is a checkout: a copy made there would overwrite it")
        self.source.mkdir(parents=True, exist_ok=True)
        files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=self.root, text=True,
                               capture_output=True, check=True).stdout.split("\n")
        kept = {name for name in files if name and (self.root / name).is_file()} | set(changed)
        for folder, folders, names in os.walk(self.source):  # removes files of an earlier run, which would be built
                                                             # otherwise
            if folder == str(self.source) and "build" in folders:
                folders.remove("build")
            for name in names:
                copy = os.path.join(folder, name)
                if os.path.relpath(copy, self.source) not in kept:
                    os.unlink(copy)
        for name in sorted(kept):
            origin, copy = self.root / name, self.source / name
            wanted = changed[name].encode() if name in changed else origin.read_bytes()
            if not copy.exists() or copy.read_bytes() != wanted:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(wanted)
                if name not in changed:
                    shutil.copymode(origin, copy)

    def take(self, commit):
        """Makes a copy of a commit. An existing copy of it is kept."""
        if (self.source / "CMakeLists.txt").exists():
            return
        self.source.mkdir(parents=True, exist_ok=True)
        files = subprocess.run(["git", "archive", "--format=tar", commit], cwd=self.root, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", self.source], input=files, check=True)

    def configure(self, *settings):
        subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DERSATZ_CUDA=OFF", *settings], check=True, stdout=subprocess.DEVNULL)

    def make(self, programs, keep_going=False, jobs=None):
        """(whether the build succeeded, ninja's output)"""
        done = subprocess.run(["ninja", "-C", self.build, *(["-k", "0"] if keep_going else []), *(["-j", str(jobs)] if jobs else []),
                               *programs], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        return done.returncode == 0, done.stdout
