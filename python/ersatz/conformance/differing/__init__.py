"""Calls on which two sides differ: where, for which cause, and a line of Python that shows it. It imports nothing of the package, so that
scripts/found can use it without a build."""
