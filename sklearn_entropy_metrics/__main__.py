"""Command line: `sklearn-entropy-metrics`, `python -m sklearn_entropy_metrics`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from sklearn_entropy_metrics._interrupt import INTERRUPTED, raise_again
from sklearn_entropy_metrics.command_line.arguments import Request, parse
from sklearn_entropy_metrics.command_line.write import tell

# The exit code of programs ended by a closed pipe.
_CLOSED_PIPE = 141


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments. By default, those of the process.
    """
    try:
        raise_again()
        _run(parse(argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        # The reader has closed the pipe. Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(_CLOSED_PIPE) from None
    except (ImportError, OSError, ValueError) as error:
        tell(f"error: {error}")
        raise SystemExit(1) from None


def _run(request: Request) -> None:
    # The demo needs no reader of files, and only commands that draw need matplotlib.
    if request.command == "demo":
        from sklearn_entropy_metrics.command_line.demo import run_demo

        return run_demo(request.output or Path("entropy_metrics_demo"))
    try:
        from sklearn_entropy_metrics.command_line import commands
    except ModuleNotFoundError as error:
        raise ValueError(
            f"files need the package {error.name}, which the extra `cli` installs: "
            'pip install "sklearn-entropy-metrics[cli]".'
        ) from error
    getattr(commands, f"run_{request.command}")(request)


if __name__ == "__main__":
    main()
