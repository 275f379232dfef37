"""Wrong predictions of PyTorch as a report: sorted by cause, with a script for each. Only the module differing/shown.py
needs PyTorch."""
