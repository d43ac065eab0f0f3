"""What is true of every display."""

import inspect

import pytest

from sklearn_entropy_metrics import display

DISPLAYS = [getattr(display, name) for name in display.__all__ if "Display" in name]


@pytest.mark.parametrize("cls", DISPLAYS)
def test_no_positive_class_is_given_by_default(cls):
    for name, method in inspect.getmembers(cls, inspect.ismethod):
        parameter = inspect.signature(method).parameters.get("pos_label")
        assert parameter is None or parameter.default is None, name
