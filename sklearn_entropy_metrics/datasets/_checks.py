"""The one check that channels and tables share."""

from numbers import Integral


def check_integer(value, name, minimum):
    """Return `value` as an int, or say what is wrong with it."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise ValueError(
            f"`{name}` must be an integer of at least {minimum}; got {value!r}."
        )
    return int(value)
