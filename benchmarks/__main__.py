"""``python -m benchmarks``: a table of ratios to scikit-learn, all from one run."""

import os
import platform

import numpy as np
import sklearn

from benchmarks.cases import CASES

print(
    f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, "
    f"Python {platform.python_version()}, {os.cpu_count()} cores; "
    "1,000,000 samples unless said otherwise.\n"
)
print(f"{'what':<26}{'peer':<26}{'ratio':>9}{'limit':>9}")
for case in CASES:
    ours, peers = case.measure()
    ratio = ours / peers
    if case.limit < 1 / 4:
        shown, limit = f"1/{1 / ratio:.1f}", f"1/{1 / case.limit:.0f}"
    else:
        shown, limit = f"{ratio:.2f}", f"{case.limit:g}"
    verdict = "" if ratio <= case.limit else "  above the limit"
    print(f"{case.name:<26}{case.peer:<26}{shown:>9}{limit:>9}{verdict}", flush=True)
