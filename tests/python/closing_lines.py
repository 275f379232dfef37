"""The closing lines of a Python test run, spelled as GoogleTest spells its own, so that scripts/test adds them up."""


def close(passed: int, skipped: int, wrong: int, why: str = "") -> int:
    """Prints the counts; `why` says why tests were skipped. Exit status 1 where a test failed or there was none."""
    print(f"[  PASSED  ] {passed} tests.")
    if skipped:
        print(f"[  SKIPPED ] {skipped} tests: {why}")
    if wrong:
        print(f"[  FAILED  ] {wrong} tests, listed below:")
    return int(bool(wrong) or not passed + skipped)
