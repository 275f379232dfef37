"""Runs processes with limits: a process is killed when its time is up, when it prints nothing for too long, or because
of a printed line."""
import os
import selectors
import signal
import subprocess
import threading
import time

HEAD, TAIL = 48 << 10, 48 << 10
_live = set()
_lock = threading.RLock()


class Ended:
    """The end of a process: `why` is the reason why it was killed, or "" if it ended by itself."""

    def __init__(self, status, seconds, text, why):
        self.status, self.seconds, self.text, self.why = status, seconds, text, why

    @property
    def good(self):
        return self.status == 0 and not self.why

    def described(self):
        if self.why:
            return self.why
        return f"signal {-self.status} ({signal.strsignal(-self.status)})" if self.status < 0 else f"exit {self.status}"

    def last_line(self):
        lines = [line for line in self.text.splitlines() if line.strip()]
        return lines[-1].strip()[:200] if lines else ""


class Output:
    """The output of a process: complete in a file as far as the disk has space, its beginning and end in memory."""

    def __init__(self, path):
        self.head, self.tail, self.bytes, self.file, self.lost = b"", b"", 0, None, ""
        try:
            self.file = open(path, "ab", buffering=0) if path else None
        except OSError as e:
            self.lost = str(e)

    def add(self, data):
        self.bytes += len(data)
        room = HEAD - len(self.head)
        self.head += data[:room]
        self.tail = (self.tail + data[room:] if room < len(data) else self.tail)[-TAIL:] if room >= 0 else (self.tail + data)[-TAIL:]
        if self.file and not self.lost:
            try:
                self.file.write(data)
            except OSError as e:
                self.lost = str(e)

    def text(self):
        left_out = self.bytes - len(self.head) - len(self.tail)
        middle = f"\n[... {left_out} bytes left out here ...]\n".encode() if left_out > 0 else b""
        lost = f"\n[the file of this output is not whole: {self.lost}]".encode() if self.lost else b""
        return (self.head + middle + self.tail + lost).decode(errors="replace")

    def close(self):
        if self.file:
            self.file.close()


def run(command, seconds, env=None, cwd=None, output=None, on_line=None, silence=None):
    """Runs `command` for at most `seconds`. `on_line(line)` may return a reason to kill the process."""
    begin, said, why = time.monotonic(), Output(output), ""
    try:
        process = subprocess.Popen([str(c) for c in command], env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as e:
        return Ended(127, 0, f"{command[0]}: {e.strerror}", "")
    with _lock:
        _live.add(process.pid)
    line, heard = b"", begin
    os.set_blocking(process.stdout.fileno(), False)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not why:
            now = time.monotonic()
            if now - begin >= seconds:
                why = f"ended at its limit of {seconds:.0f} s"
                break
            if silence and now - heard >= silence:
                why = f"ended after {silence:.0f} s without a word"
                break
            if not selector.select(timeout=min(0.2, begin + seconds - now)):
                if process.poll() is not None:  # the process has ended, but a child of it holds the pipe
                    break
                continue
            data = process.stdout.read(1 << 16)
            if data is None:
                continue
            if not data:
                break
            heard = time.monotonic()
            said.add(data)
            if on_line:
                *whole, line = (line + data).split(b"\n")
                for one in whole:
                    why = why or on_line(one.decode(errors="replace")) or ""
    if not why:
        try:
            process.wait(max(0.1, begin + seconds - time.monotonic()))
        except subprocess.TimeoutExpired:
            why = f"ended at its limit of {seconds:.0f} s"
    end_group(process.pid)
    process.wait()
    with _lock:
        _live.discard(process.pid)
    process.stdout.close()
    said.close()
    return Ended(process.returncode, time.monotonic() - begin, said.text(), why)


def end_group(pid):
    """Kills a process and all its children."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_all():
    with _lock:
        for pid in _live:
            end_group(pid)
