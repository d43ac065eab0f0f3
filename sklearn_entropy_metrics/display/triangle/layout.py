"""Finds room for the triangle each time that its figure is drawn.

It is as large as its texts and neighbours allow.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from sklearn_entropy_metrics.display.triangle.geometry import HEIGHT, outward
from sklearn_entropy_metrics.display.triangle.room import GAP, find_room, titles

# The triangle of this height, in sizes of its font, has texts of full size; texts of
# smaller ones are smaller, down to a share.
_FULL, _LEAST, _LEAST_IN_SLOT = 28, 0.7, 0.8
# A triangle without words and with a shorter side, in points, has no room for a remark.
_ROOMY = 180


class Margins(NamedTuple):
    """Room that texts need around the triangle, in pixels."""

    left: float
    right: float
    bottom: float
    top: float
    beside: float  # the band of numbers and words along the right side
    apex: float  # half of the width of what stands above the apex


def view(ax: Any) -> Any:
    """The limits of Axes."""
    return (*ax.get_xlim(), *ax.get_ylim())


def arrange(frame: Any, ax: Any, renderer: Any) -> Any:
    """Give the triangle all the available space; return the position of its Axes.

    Limits set by the user, in code or with the mouse, are kept.
    """
    if frame.outline.axes is not ax:  # the Axes were cleared
        return ax.get_position(original=True)
    room = find_room(frame, ax)
    if frame.limits != view(ax):
        return room
    state = _state(frame, ax, room)
    if state != frame.state:  # drawing asks more than once
        pixels = room.transformed(ax.figure.transSubfigure)
        point = ax.figure.dpi / 72
        _Arrangement(frame, ax, renderer, pixels, point).make()
        frame.state = state
    return room


def _state(frame, ax, room):
    """All that an arrangement depends on."""
    legend = ax.get_legend()
    texts = [] if legend is None else [text.get_text() for text in legend.get_texts()]
    slots = [(s, s.ax.get_xlabel()) for s in frame.slots if s.ax in ax.child_axes]
    own = frame.part, len(frame.labels), len(frame.scaled), frame.sentence, frame.solo
    return own, room.bounds, ax.figure.dpi, bool(titles(ax)), legend, texts, slots


class _Arrangement:
    """One arrangement of a frame in a box of pixels."""

    def __init__(self, frame, ax, renderer, box, point):
        self.frame, self.ax, self.renderer = frame, ax, renderer
        self.box, self.point, self.gap = box, point, GAP * point
        self.sizes: dict[Any, tuple[float, float]] = {}

    def make(self):
        """Set texts, limits and the boxes of what stands beside."""
        words = self.frame.words
        for share, lean, sides, corners in self._attempts():
            side, left, bottom = self._try(share, lean, sides, corners)
            if sides is words.symbols or self._has_room(side):
                break
        if self.frame.solo is not None:
            roomy = side > _ROOMY * self.point
            self.frame.solo.say(at_length=sides is words.sides or roomy)
        self.frame.share = share
        self._thin_out(side)
        self._set_limits(side, left, bottom)
        self._move_texts(side)

    def _try(self, share, lean, sides, corners):
        """Write names of scales and corners; return the side and where it begins."""
        self.share, self.lean = share, lean
        self._speak(sides, corners)
        self.number = self._number()
        return self._best(self._margins())

    def _best(self, margins):
        """Put colour bars where they leave most room, preferably on the right."""
        right = self._widen(margins, *self._stack(bars_left=False))
        if not any(slot.is_bar for slot in self.frame.slots):
            return right
        left = self._widen(margins, *self._stack(bars_left=True))
        if left[0] > 1.1 * right[0]:
            return left
        return self._widen(margins, *self._stack(bars_left=False))

    def _attempts(self):
        """Shares of the sizes of texts, how far corners lean outward, names, corners.

        Words that do not fit become smaller, then shorter; finally only symbols remain.
        """
        base = max(note.size for note in self.frame.notes)
        least = _LEAST if self.frame.slot is None else _LEAST_IN_SLOT
        room = min(self.box.width, self.box.height / 0.9) / self.point
        share = min(max(room / (_FULL * base), least), 1)
        words = self.frame.words
        if self.frame.speaks:
            for smaller in sorted({share, max(0.85 * share, least), least})[::-1]:
                yield smaller, 0, words.sides, True
                yield smaller, 0.5, words.sides, True
            # Words at the corners are not worth a much smaller triangle.
            plain, *_ = self._try(least, 0, words.short, False)
            for lean in (0, 0.5):
                if self._try(least, lean, words.short, True)[0] > 0.8 * plain:
                    yield least, lean, words.short, True
            yield least, 0, words.short, False
        yield share, 0, words.symbols, False

    def _size(self, text):
        """Width and height of a text as if it were not turned."""
        key = id(text), text.get_text(), text.get_fontsize()
        if key not in self.sizes:
            box = text.get_window_extent(self.renderer)
            angle = math.radians(text.get_rotation() % 180)
            self.sizes[key] = _unturned(box.width, box.height, angle)
        return self.sizes[key]

    def _speak(self, sides, corners):
        """Name the scales, and say what the corners mean or not."""
        frame = self.frame
        others = [frame.sentence] if frame.sentence is not None else []
        for note in [*frame.notes, *frame.labels, *frame.scaled, *others]:
            note.text.set_fontsize(note.size * self.share)
        for note in frame.notes:
            note.text.set_visible(True)
        for name, note in zip(sides, frame.scales, strict=False):
            note.text.set_text(name)
        for note in frame.corners:
            if note is not None:
                note.text.set_visible(corners)

    def _corner(self, corner):
        """Width and height of what is written at a corner."""
        note = self.frame.corners[corner]
        shown = note is not None and note.text.get_visible()
        return self._size(note.text) if shown else (0, 0)

    def _number(self):
        """Width and height of the widest number."""
        numbers = [note for notes in self.frame.numbers for note in notes[-1:]]
        sizes = [self._size(note.text) for note in numbers] or [(0, 0)]
        return np.max(sizes, axis=0)

    def _margins(self):
        gap, (number, tall) = self.gap, self.number
        (right, low), (apex, high), (left, low_left) = map(self._corner, range(3))
        sizes = [self._size(note.text)[1] for note in self.frame.scales]
        scale = max(sizes, default=0)
        return Margins(
            max(left * (0.5 + self.lean), 0.4 * gap),
            max(right * (0.5 + self.lean), 0.4 * gap),
            max(tall + scale + gap, low, low_left) + 1.2 * gap,
            high + gap * (1 + bool(titles(self.ax))) + self._headline(),
            HEIGHT * (number + 2 * gap) + scale + gap,
            apex / 2 + gap,
        )

    def _headline(self):
        """The height of the sentence above, which is left out if it is too long."""
        note = self.frame.sentence
        if note is None:
            return 0
        note.text.set_visible(True)  # what is not has no size
        width, height = self._size(note.text)
        fits = width < self.box.width - 2 * self.gap
        note.text.set_visible(fits)
        return (height + 1.5 * self.gap) * fits

    def _stack(self, bars_left):
        """Boxes of the legend and of the slots, from the upper corners down.

        Coordinates are in pixels from the lower left corner of the room.

        Parameters
        ----------
        bars_left : bool
            Whether colour bars stand in the left corner, and not below the others.

        Returns
        -------
        left, right : list of Bbox
        """
        from matplotlib.transforms import Bbox

        room = np.array([self.box.width, self.box.height])
        tops = {True: room[1], False: room[1]}
        found: dict[bool, list[Any]] = {True: [], False: []}

        def add(size, is_left):
            width, height = size
            x = 0 if is_left else room[0] - width
            box = Bbox.from_bounds(x, tops[is_left] - height, width, height)
            tops[is_left] -= height + 2 * self.gap
            found[is_left].append(box)
            return box.translated(self.box.x0, self.box.y0)

        legend = self.ax.get_legend()
        if legend is not None:
            for text in legend.get_texts():
                text.set_fontsize(legend.prop.get_size_in_points() * self.share)
            add(legend.get_window_extent(self.renderer).size, False)
        slots = [slot for slot in self.frame.slots if slot.ax in self.ax.child_axes]
        bars = [slot for slot in slots if slot.is_bar]
        wanted = [self._wanted(slot, room) for slot in bars]
        free = tops[False] - (not bars_left) * sum(
            high + 2 * self.gap for _, high in wanted
        )
        for slot in slots:
            if not slot.is_bar:
                slot.box = add(self._wanted(slot, np.array([room[0], free])), False)
        for slot, size in zip(bars, wanted, strict=True):
            slot.box = add(size, bars_left)
        return found[True], found[False]

    def _wanted(self, slot, room):
        wanted = slot.wanted(room / self.point, self.share, self.renderer)
        return np.array(wanted) * self.point

    def _fit(self, margins, left, right):
        """The longest side, and the place of the lower left corner."""
        # Pairs (share, end): so much of the side, added to that place, ends there.
        lows, highs = [(0.0, margins.left)], [(1.0, self.box.width - margins.right)]
        highest = self.box.height - margins.bottom - margins.top
        for box, is_left in [*((b, True) for b in left), *((b, False) for b in right)]:
            over = box.y0 - margins.bottom - self.gap
            slope = over / math.sqrt(3) - margins.beside / HEIGHT
            edge = box.x1 + self.gap if is_left else box.x0 - self.gap
            new = (
                [(0.0, edge - slope), (0.5, edge + margins.apex)]
                if is_left
                else [(1.0, edge + slope), (0.5, edge - margins.apex)]
            )
            bounds = (lows + new, highs) if is_left else (lows, highs + new)
            if _longest(*bounds) > (over - margins.top) / HEIGHT:
                lows, highs = bounds
            else:  # the triangle stands below of the box
                highest = min(highest, over - margins.top)
        side = max(min(_longest(lows, highs), highest / HEIGHT), 10)
        low = max(end - share * side for share, end in lows)
        high = min(end - share * side for share, end in highs)
        spare = self.box.height - margins.bottom - margins.top - HEIGHT * side
        lift = 0 if left or right else max(spare, 0) / 2
        return side, max((low + high) / 2, low), margins.bottom + lift

    def _widen(self, margins, *boxes):
        """Fit the triangle in, with what sticks out of its slanted sides."""
        long = max((self._size(note.text)[0] for note in self.frame.scales), default=0)
        number = self.number[0] + self.gap
        for _ in range(3):
            side, *place = self._fit(margins, *boxes)
            words = long / 4 + margins.beside * HEIGHT - side / 4
            over = max(words, number - side / self.frame.part.n_steps / 2)
            if over <= min(margins.left, margins.right):
                break
            left, right = max(margins.left, over), max(margins.right, over)
            margins = margins._replace(left=left, right=right)
        return side, *place

    def _has_room(self, side):
        """Whether words fit along the sides of a triangle."""
        below, right, left = (self._size(note.text)[0] for note in self.frame.scales)
        widths = self._corner(0)[0] + self._corner(2)[0]
        corners = (0.5 - self.lean) * widths + 2 * self.gap
        return below + corners < side and max(left, right) < 0.85 * side

    def _thin_out(self, side):
        """Hide numbers that would run into each other or into a corner's words."""
        width, _ = self.number
        part = self.frame.part
        spacing = side / part.n_steps
        stride = math.ceil(1.25 * width / spacing)
        inward = 0.5 - self.lean
        right, left = (inward * self._corner(corner)[0] for corner in (0, 2))
        for scale, notes in enumerate(self.frame.numbers):
            for number, note in enumerate(notes, start=1):
                shown = number % stride == 0
                if scale == 0:
                    clear = width / 2 + self.gap
                    shown &= number * spacing > clear + left
                    shown &= side - number * spacing > clear + right
                note.text.set_visible(shown)

    def _set_limits(self, side, left, bottom):
        unit = side / self.frame.part.size  # pixels
        x, y = self.frame.part.corners[2] - np.array([left, bottom]) / unit
        self.ax.set_xlim(x, x + self.box.width / unit, emit=False)
        self.ax.set_ylim(y, y + self.box.height / unit, emit=False)
        self.frame.limits = view(self.ax)

    def _move_texts(self, side):
        frame, gap = self.frame, self.gap
        unit = side / frame.part.size
        number, tall = self.number

        def move(note, offset):
            note.text.set_position(note.anchor + np.array(offset) / unit)

        for notes, direction in zip(
            frame.numbers, ((0, -1), (1, 0), (-1, 0)), strict=True
        ):
            for note in notes:
                move(note, gap * np.array(direction))
        for scale, note in enumerate(frame.scales):
            height = self._size(note.text)[1]
            away = 2 * gap + HEIGHT * number if scale else 1.4 * gap + tall
            move(note, outward(scale) * (away + height / 2))
        for corner, note in enumerate(frame.corners):
            if note is not None:
                outside = self.lean * self._corner(corner)[0] * (1, 0, -1)[corner]
                move(note, (outside, (-1.2, 1, -1.2)[corner] * gap))
        if frame.sentence is not None:
            left, right, _, top = frame.limits
            frame.sentence.text.set_position(((left + right) / 2, top))


def _longest(lows, highs):
    """The longest side between bounds of its lower and of its upper end."""
    longest = math.inf
    for low_share, low in lows:
        for high_share, high in highs:
            if high_share > low_share:
                longest = min(longest, (high - low) / (high_share - low_share))
            elif high < low:
                longest = 0
    return longest


def _unturned(width, height, angle):
    """The sides of a rectangle whose box, turned by an angle, has these sides."""
    if not angle:
        return width, height
    cos, sin = abs(math.cos(angle)), math.sin(angle)
    long = (width * cos - height * sin) / (cos**2 - sin**2)
    return long, (width - long * cos) / sin
