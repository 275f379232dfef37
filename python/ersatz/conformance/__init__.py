"""Wrong predictions of PyTorch as a report: sorted by cause, with a script for each. No module here but differing/shown.py needs PyTorch."""
