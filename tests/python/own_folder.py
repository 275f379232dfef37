"""Temporary folders for tests."""

import pathlib
import tempfile


def own_folder(test):
    """Returns a folder that is removed at the end of the test or of the test class."""
    folder = tempfile.TemporaryDirectory()
    (test.addClassCleanup if isinstance(test, type) else test.addCleanup)(folder.cleanup)
    return pathlib.Path(folder.name)
