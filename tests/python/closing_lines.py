"""Prints the closing lines of a Python test run in GoogleTest's form, so that scripts/test can add the counts."""


def close(passed: int, skipped: int, wrong: int, why: str = "") -> int:
    """Prints the counts. `why` is the reason for skipped tests. Returns exit status 1 if a test failed or none ran."""
    print(f"[  PASSED  ] {passed} tests.")
    if skipped:
        print(f"[  SKIPPED ] {skipped} tests: {why}")
    if wrong:
        print(f"[  FAILED  ] {wrong} tests, listed below:")
    return int(bool(wrong) or not passed + skipped)
