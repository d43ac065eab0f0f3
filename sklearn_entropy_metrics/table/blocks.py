"""Dask collections → one result: the only file that knows dask.

Each block is reduced to something small on its worker, and the results are combined in
a tree, in one task graph. No collection is gathered.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.table.checks import refuse_mask

# Results that are combined at a time.
_FAN_IN = 16


def is_dask(y: object) -> bool:
    """Whether this is a dask collection, checked without importing dask."""
    return hasattr(y, "__dask_graph__")


def gather(y: Any) -> Any:
    """Bring a dask collection into memory; anything else stays as it is."""
    return y.compute() if is_dask(y) else y


def reduce_blocks(
    function: Callable[..., Any],
    combine: Callable[[list[Any]], Any],
    **arrays: Any,
) -> Any:
    """Apply a function to the blocks of arrays and combine the results.

    Parameters
    ----------
    function : callable
        Called with the blocks of the arrays as keyword arguments. It may return None.

    combine : callable
        Turns a list of results, in any grouping, into one.

    **arrays : dask arrays or series, or array-likes
        By name, at least one of them a dask collection; None is passed on.

    Returns
    -------
    result : object
    """
    from dask.delayed import delayed

    given = {name: array for name, array in arrays.items() if array is not None}
    for name, array in given.items():
        # Anything is an attribute of what is delayed.
        if is_dask(array) and not isinstance(getattr(array, "ndim", None), int):
            raise ValueError(f"{name} must be a dask array or series. Got {array!r}.")
    are_frames = all(hasattr(array, "to_dask_array") for array in given.values())
    blocks = (_map_partitions if are_frames else _map_blocks)(function, given)
    while len(blocks) > 1:
        groups = [blocks[i : i + _FAN_IN] for i in range(0, len(blocks), _FAN_IN)]
        blocks = [delayed(_combine)(combine, list(group)) for group in groups]
    return blocks[0].compute().item()


def _map_partitions(function, frames):
    from dask import dataframe
    from pandas import Series

    _check_number_of_blocks({name: one.npartitions for name, one in frames.items()})
    return dataframe.map_partitions(
        _call_for_series,
        *frames.values(),
        function=function,
        names=list(frames),
        meta=Series([], dtype=object),
        align_dataframes=False,
    ).to_delayed()


def _map_blocks(function, arrays):
    from dask import array as da

    arrays = _with_equal_blocks(
        {name: _as_array(array, name) for name, array in arrays.items()}
    )
    operands: list[Any] = []
    for number, array in enumerate(arrays.values()):
        operands += [array, (0, number + 1)[: array.ndim]]
    blocks = da.blockwise(
        _call_for_array,
        (0,),
        *operands,
        function=function,
        names=list(arrays),
        concatenate=True,
        adjust_chunks={0: lambda length: 1},
        align_arrays=False,
        meta=np.empty(0, dtype=object),
    )
    return blocks.to_delayed()


def _as_array(array, name):
    """A dask array, or a local array if it is not a dask collection."""
    if hasattr(array, "to_dask_array"):
        return array.to_dask_array()
    refuse_mask(array, name)
    # numpy would make strings of [1, "a"].
    dtype = object if isinstance(array, list | tuple) else None
    local_or_lazy = array if is_dask(array) else np.asarray(array, dtype=dtype)
    if local_or_lazy.ndim not in (1, 2):
        raise ValueError(
            f"{name} must have one or two dimensions. Got {local_or_lazy.ndim}."
        )
    return local_or_lazy


def _with_equal_blocks(arrays):
    """Dask arrays that are split at the same places."""
    from dask import array as da

    lazy = {name: array.chunks[0] for name, array in arrays.items() if is_dask(array)}
    if any(np.isnan(lengths).any() for lengths in lazy.values()):
        local = [name for name in arrays if name not in lazy]
        if local:
            raise ValueError(
                f"{' and '.join(local)} cannot be split like {' and '.join(lazy)}, "
                "whose blocks have unknown lengths: make it a dask array, too, or find "
                "the lengths by compute_chunk_sizes()."
            )
        _check_number_of_blocks({name: len(lengths) for name, lengths in lazy.items()})
        return arrays
    check_consistent_length(*arrays.values())
    lengths = next(iter(lazy.values()))
    return {
        name: array.rechunk({0: lengths})
        if name in lazy
        else da.from_array(array, chunks=(lengths, -1)[: array.ndim])
        for name, array in arrays.items()
    }


def _check_number_of_blocks(numbers):
    if len(set(numbers.values())) > 1:
        raise ValueError(
            "Blocks of unknown lengths must be equal in number. Got "
            + " and ".join(f"{number} of {name}" for name, number in numbers.items())
            + "; repartition them, or find the lengths by compute_chunk_sizes()."
        )


def _call_for_array(*blocks, function, names):
    """The result of one block, in an array of one object."""
    check_consistent_length(*blocks)
    result = np.empty(1, dtype=object)
    result[0] = function(**dict(zip(names, blocks, strict=True)))
    return result


def _call_for_series(*blocks, function, names):
    from pandas import Series

    return Series(_call_for_array(*blocks, function=function, names=names))


def _combine(combine, blocks):
    result = np.empty(1, dtype=object)
    some = [one for one in (block.item() for block in blocks) if one is not None]
    result[0] = combine(some) if some else None
    return result
