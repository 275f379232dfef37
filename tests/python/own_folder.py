"""Folders that tests write to."""

import pathlib
import tempfile


def own_folder(test):
    """A folder that goes when the test ends, or the class of tests."""
    folder = tempfile.TemporaryDirectory()
    (test.addClassCleanup if isinstance(test, type) else test.addCleanup)(folder.cleanup)
    return pathlib.Path(folder.name)
