"""Calls on which two sides differ: the place, the cause, and a line of Python that shows the difference. This package
imports no other module of ersatz, so that scripts/found can use it without a build."""
