"""A session: steps in a given time, in sequence or in parallel, with one log and one archive of their files.

After each step, and during a long one, a new archive replaces the old one: if the machine is taken away, the results up to then are kept.
The log is in memory too; lines that did not fit on a full disk are written when there is room.
"""
import io
import json
import os
import pathlib
import shutil
import tarfile
import threading
import time

LOG, ARCHIVE, ROWS = "session.log", "session.tar.gz", "rows.json"


class Log:
    """A log file. Lines that could not be written yet are written later."""

    def __init__(self, path):
        self.path, self.text, self.written, self.lock, self.problem = path, bytearray(), 0, threading.RLock(), ""

    def add(self, text):
        with self.lock:
            self.text += text.encode(errors="replace") + b"\n"
        self.flush()

    def flush(self):
        """Writes the pending lines. Returns whether the file is complete."""
        with self.lock:
            try:
                file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            except OSError as e:
                self.problem = e.strerror
                return False
            try:
                while self.written < len(self.text):
                    self.written += os.write(file, self.text[self.written:])
                self.problem = ""
            except OSError as e:
                self.problem = e.strerror
            finally:
                os.close(file)
            return not self.problem


class Step:
    """The folder, time and notes of a running step."""

    def __init__(self, session, name, folder, seconds):
        self.session, self.name, self.folder = session, name, folder
        self.limit, self.end = seconds, time.monotonic() + seconds

    def left(self):
        return max(0.0, self.end - time.monotonic())

    def note(self, text):
        self.session.log.add(text)


class Session:
    def __init__(self, results, work, budget, archive_bytes=15 << 20, renew_seconds=20, only=()):
        """`only`: names of the steps to run; empty: all steps."""
        self.results, self.work = pathlib.Path(results), pathlib.Path(work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.begin, self.budget = time.monotonic(), budget
        self.archive_bytes, self.renew_seconds = archive_bytes, renew_seconds
        self.only = set(only)
        self.log = Log(self.results / LOG)
        self.rows, self.archived, self.renewing = [], "nothing", threading.RLock()

    def left(self):
        return self.budget - (time.monotonic() - self.begin)

    def say(self, text):
        print(text + "\n", end="", flush=True)  # at once, because steps may run in parallel
        self.log.add(text)

    def row(self, name, status, seconds, last=""):
        self.rows.append((name, status, seconds, last))
        try:
            (self.work / ROWS).write_text(json.dumps(self.rows, indent=1))
        except OSError:
            pass  # the log and the summary have the same text
        self.say(f"{name}: {status}, {seconds:.1f} s{': ' + last if last else ''}")

    def skip(self, name, why):
        if self.wants(name):
            self.row(name, "skipped", 0, why)

    def wants(self, name):
        return not self.only or name in self.only

    def step(self, name, limit, action, least=None):
        """Runs action(step), which returns (good, last line), within its limit and the session's remaining time."""
        if not self.wants(name):
            return None
        least = min(limit, 10) if least is None else least
        if self.left() < least:
            return self.skip(name, f"for want of time: it needs {least:.0f} s, {max(0, self.left()):.0f} s are left")
        folder = self.work / name
        step = Step(self, name, folder, min(limit, self.left()))
        done = threading.Event()
        keeper = threading.Thread(target=self._renew_while, args=(done,), daemon=True)
        begin = time.monotonic()
        self.log.add(f"== {name}")
        keeper.start()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            good, last = action(step)
        except Exception as e:  # any exception fails only this step
            good, last = False, f"{type(e).__name__}: {e}"
        done.set()
        keeper.join()
        self.row(name, "ok" if good else "FAILED", time.monotonic() - begin, last)
        self.renew(name)
        return None

    def _renew_while(self, done):
        while not done.wait(self.renew_seconds):
            self.renew(None)

    def renew(self, name):
        """Writes the archive. If the disk is full, deletes the files of the step `name` for that."""
        if self._renewed(name):
            return
        problem = self.problem
        if name:
            given_up = sum(p.stat().st_size for p in (self.work / name).rglob("*") if p.is_file())
            shutil.rmtree(self.work / name, ignore_errors=True)
            self.say(f"{name}: {problem}: its {given_up} bytes of files are given up; what it printed is in the log")
            if not self._renewed(name):
                self.say(f"archive: not renewed ({self.problem}); it holds {self.archived}")

    def _renewed(self, name):
        with self.renewing:
            part = self.results / (ARCHIVE + ".part")
            try:
                data = self._packed()
                part.write_bytes(data)
                os.replace(part, self.results / ARCHIVE)
                if not self.log.flush():
                    self.problem = f"{LOG}: {self.log.problem}"
                    return False
            except OSError as e:
                self.problem = f"{ARCHIVE}: {e.strerror}"
                part.unlink(missing_ok=True)
                return False
            self.problem = ""
            self.archived = f"all up to {name}" if name else self.archived
            return True

    def _packed(self):
        """The log and the files of all steps, smallest first, as many as the archive may hold."""
        files = sorted((size, path) for path in self.work.rglob("*") if "scratch" not in path.relative_to(self.work).parts
                       and (size := _size(path)) is not None)
        buffer, left_out = io.BytesIO(), []
        with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=4) as tar:
            for size, path in files:
                name = str(path.relative_to(self.work))
                if size > 16 * self.archive_bytes:
                    left_out.append(name)
                    continue
                try:
                    data = path.read_bytes()
                except FileNotFoundError:  # a parallel step has just removed it
                    continue
                if buffer.tell() + _packed_size(data) > self.archive_bytes:
                    left_out.append(name)
                    continue
                _add(tar, name, data)
            log = bytes(self.log.text)
            _add(tar, LOG, log)
            _add(tar, "summary.txt", self.summary().encode())
            if left_out:
                _add(tar, "left_out.txt", ("for want of room:\n" + "\n".join(left_out) + "\n").encode())
        return buffer.getvalue()

    def summary(self):
        return "".join(f"{name:24} {status:8} {seconds:7.1f} s  {last}\n" for name, status, seconds, last in self.rows)

    def close(self):
        failed = [r[0] for r in self.rows if r[1] == "FAILED"]
        skipped = [r[0] for r in self.rows if r[1] == "skipped"]
        self.say("== summary\n" + self.summary() +
                 f"{len(self.rows)} steps in {time.monotonic() - self.begin:.0f} of {self.budget:.0f} s, {len(failed)} failed"
                 f"{': ' + ', '.join(failed) if failed else ''}, {len(skipped)} skipped")
        self.renew(None)
        if self.log.problem or self.problem:
            print(f"{LOG}: {self.log.problem or 'whole'}; {ARCHIVE}: {self.problem or 'whole'}", flush=True)
        return not failed


def _size(path):
    """Size of a file; None for anything else, and for a removed file."""
    try:
        return path.stat().st_size if path.is_file() else None
    except FileNotFoundError:
        return None


def _packed_size(data):
    import zlib
    return len(zlib.compress(data, 4)) + 1024 if len(data) > 1 << 16 else len(data)


def _add(tar, name, data):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime = len(data), int(time.time())
    tar.addfile(entry, io.BytesIO(data))
