"""`ersatz conformance`: compares PyTorch's predictions for calls of its operators with the calls' outcomes."""
