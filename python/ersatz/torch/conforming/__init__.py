"""`ersatz conformance`: what PyTorch predicts of calls of its operators, compared with what the calls do."""
