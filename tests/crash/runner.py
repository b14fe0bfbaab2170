"""What every test script of this folder and its neighbours ends with."""

import sys
import unittest


def main():
    """Runs the tests of the calling script and closes with "N passed, N failed"."""
    tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    failed = len(result.failures) + len(result.errors)
    print(f"{max(result.testsRun - failed, 0)} passed, {failed} failed")
    return 1 if failed else 0
