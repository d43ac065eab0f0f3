"""Ctrl-C while the command line is being imported ends it without a traceback.

Nothing of the command line runs earlier than the package itself is imported.
"""

import os
import signal
import sys
from itertools import pairwise
from pathlib import Path

PROGRAM = "sklearn-entropy-metrics"
# The exit code of programs ended by Ctrl-C.
INTERRUPTED = 130


def end_quietly(*_: object) -> None:
    """End the process; nothing has been written yet."""
    os._exit(INTERRUPTED)


def raise_again() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, once somebody catches it."""
    if signal.getsignal(signal.SIGINT) is end_quietly:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_command():
    """Whether this process was started as the command."""
    started = sys.orig_argv
    is_module = ("-m", "sklearn_entropy_metrics") in pairwise(started)
    return is_module or Path(started[min(1, len(started) - 1)]).stem == PROGRAM


if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, end_quietly)
