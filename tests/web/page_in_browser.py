"""Opens a page in a headless Chromium, and controls it by keys and mouse over the debugging pipe (JSON messages, each
ended by a zero byte)."""
import fcntl
import json
import os
import subprocess
import tempfile
import time

from doc_sessions.browser_test import headless

SECONDS = 120


def above_standard(file):
    """Returns a duplicate of the file with a number of 10 or more, and closes the file."""
    number = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(file)
    return number


class Page:
    def __init__(self, chromium, url):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs, to = map(above_standard, os.pipe())
        back, ours = map(above_standard, os.pipe())

        def connect():
            os.dup2(theirs, 3)
            os.dup2(ours, 4)

        self._shown = subprocess.Popen(headless(chromium, self._profile.name, "--remote-debugging-pipe", "about:blank"), close_fds=False,
                                       preexec_fn=connect, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(ours)
        self._to, self._back = os.fdopen(to, "wb", buffering=0), os.fdopen(back, "rb", buffering=0)
        self._left, self._number, self._session = b"", 0, None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.navigate", url=url)
        self.wait("document.readyState == 'complete'")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._shown.kill()
        self._shown.wait()
        self._to.close()
        self._back.close()
        self._profile.cleanup()

    def _message(self):
        while b"\0" not in self._left:
            part = self._back.read(1 << 16)
            if not part:
                raise RuntimeError("the browser ended")
            self._left += part
        message, self._left = self._left.split(b"\0", 1)
        return json.loads(message)

    def _call(self, method, **arguments):
        self._number += 1
        call = {"id": self._number, "method": method, "params": arguments}
        if self._session:
            call["sessionId"] = self._session
        self._to.write(json.dumps(call).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def ask(self, expression):
        """Returns the value of a JavaScript expression in the page."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression):
        """Waits until the expression is true."""
        end = time.monotonic() + SECONDS
        while not self.ask(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"not within {SECONDS} s: {expression}")
            time.sleep(0.05)

    def fill(self, name, text):
        """Selects all text in the field with this id and replaces it by `text`, as a paste does."""
        self.ask(f"document.getElementById('{name}').focus(); document.getElementById('{name}').select()")
        self._call("Input.insertText", text=text)

    def click(self, name):
        """Clicks with the left button in the middle of the element with this id."""
        x, y = self.ask(f"(() => {{ const e = document.getElementById('{name}'); e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect();"
                        " return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
