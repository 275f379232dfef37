"""The source line of the run that makes a call."""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType, FrameType

import torch

_TORCH = os.path.dirname(torch.__file__) + os.sep
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep  # the folder of ersatz.torch
_NOT_THE_USERS = (_TORCH, os.path.dirname(os.path.dirname(_OURS)) + os.sep, "<frozen ")


def users_frame(frame: FrameType | None) -> FrameType | None:
    """Returns the innermost frame outside of PyTorch and ersatz, starting at `frame`; None if there is none."""
    while frame is not None and frame.f_code.co_filename.startswith(_NOT_THE_USERS):
        frame = frame.f_back
    return frame


def line_text(file: str, line: int, function: str) -> str:
    """Returns `/home/me/train.py:12 in forward: y = self.mix(x)`, without the text if the file is not readable."""
    text = linecache.getline(file, line).strip()
    where = f"{file}:{line} in {function}"
    return f"{where}: {text}" if text else where


class Places:
    def __init__(self) -> None:
        self.known: dict[tuple[CodeType, int], str] = {}
        self.theirs: dict[str, bool] = {}

    def innermost(self) -> str | None:
        """Returns the innermost line outside of PyTorch and ersatz: `train.py:12 in forward: y = self.mix(x)`."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            file = frame.f_code.co_filename
            theirs = self.theirs.get(file)
            if theirs is None:
                theirs = self.theirs[file] = not file.startswith((_TORCH, _OURS, "<"))
            if theirs:
                key = (frame.f_code, frame.f_lineno)
                if key not in self.known:
                    self.known[key] = spelled(file, frame.f_lineno, frame.f_code.co_name)
                return self.known[key]
            frame = frame.f_back
        return None


def spelled(file: str, line: int, function: str) -> str:
    _, packages, shown = file.rpartition("site-packages" + os.sep)
    if not packages:
        shown = os.path.relpath(file) if file.startswith(os.getcwd() + os.sep) else os.sep.join(file.split(os.sep)[-3:])
    text = linecache.getline(file, line).strip()[:200]
    return f"{shown}:{line} in {function}" + (f": {text}" if text else "")
