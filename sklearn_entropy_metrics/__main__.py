"""Command line: `sklearn-entropy-metrics`, `python -m sklearn_entropy_metrics`."""

import os
import sys
from collections.abc import Sequence

from sklearn_entropy_metrics.command_line.arguments import parse
from sklearn_entropy_metrics.command_line.messages import tell

# The exit codes of programs ended by Ctrl-C and by a closed pipe.
_INTERRUPTED = 130
_CLOSED_PIPE = 141


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments. By default, those of the process.
    """
    args = parse(argv)
    try:
        _run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    except BrokenPipeError:
        # The reader has closed the pipe. Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(_CLOSED_PIPE) from None
    except (OSError, ValueError) as error:
        tell(f"error: {error}")
        raise SystemExit(1) from None


def _run(args):
    # Only commands that draw import matplotlib.
    if args.command == "demo":
        from sklearn_entropy_metrics.command_line.demo import run_demo

        run_demo(args.output)
    elif args.command == "report":
        from sklearn_entropy_metrics.command_line.report import run_report

        run_report(args)
    elif args.command == "compare":
        from sklearn_entropy_metrics.command_line.compare import run_compare

        run_compare(args)
    else:
        from sklearn_entropy_metrics.command_line.plot import run_plot

        run_plot(args)


if __name__ == "__main__":
    main()
