"""Loaders for confusion matrices from the literature."""

import csv
from importlib.resources import files

import numpy as np
from sklearn.utils import Bunch

_SYNTHETIC = {
    "a": [[15, 0, 5], [0, 15, 5], [0, 0, 20]],
    "b": [[16, 2, 2], [2, 16, 2], [1, 1, 18]],
    "c": [[1, 0, 4], [0, 1, 4], [1, 1, 48]],
    "d": [[15, 0, 0], [0, 18, 0], [0, 0, 27]],
    "e": [[1, 0, 0], [0, 2, 0], [0, 0, 57]],
    "f": [[0, 0, 5], [0, 0, 5], [0, 0, 50]],
}

_SYNTHETIC_DESCR = """\
Six synthetic confusion matrices
--------------------------------
Six 3 x 3 matrices of 60 samples each, rows true, columns predicted, that show the
typical places of the entropy triangle: a and b, two good classifiers of balanced
data with errors of different kinds; c, a poor classifier of unbalanced data with a
high accuracy; d and e, perfect classifiers of nearly balanced and of very unbalanced
data; f, the majority classifier.

Source: Fig. 3 of F. J. Valverde-Albacete and C. Peláez-Moreno (2010). Two
information-theoretic tools to assess the performance of multi-class classifiers.
Pattern Recognition Letters 31(12), 1665-1671.
"""

_MEG_DESCR = """\
MEG mind reading challenge
--------------------------
The confusion matrices of the ten classifiers, C1 to C10 in the order of their
accuracy, that were submitted to the ICANN/PASCAL2 challenge of 2011: which kind of
video does a subject watch, judging by the magnetoencephalogram (MEG) alone? 653 test
items in five classes, rows true, columns predicted. Short clips: x1 artificial
(screen savers), x2 natural (sceneries), x3 football. Long clips: x4 television series
("Mr. Bean"), x5 film ("Modern Times").

Source: A. Klami, P. Ramkumar, S. Virtanen, L. Parkkonen, R. Hari et al. (2011).
ICANN/PASCAL2 challenge: MEG mind reading - overview and results. In: A. Klami
(editor), Proceedings of ICANN/PASCAL2 Challenge: MEG Mind Reading. Aalto University
Publication series SCIENCE + TECHNOLOGY 29/2011, 3-19.

Credit: the matrices are taken, "with kind permission from Arto Klami", from a file by
F. J. Valverde-Albacete in the history of the repository emmareyner/KFCA_for_neuraldata.
Copyright (c) 2011, 2014 Francisco José Valverde-Albacete, BSD-3-Clause; the licence is
the file LICENSE.txt next to the data.

Analysed in F. J. Valverde-Albacete and C. Peláez-Moreno (2014). 100% classification
accuracy considered harmful: the normalized information transfer factor explains the
accuracy paradox. PLoS ONE 9(1), e84217. These matrices give all values of its Table 1.
"""

_MILLER_NICELY_DESCR = """\
Perceptual confusions among English consonants
----------------------------------------------
How listeners heard 16 consonants, each spoken before the vowel of "father", in random
noise: one matrix of 4,000 responses for each of six signal-to-noise ratios from -18 dB
to +12 dB, rows the consonant spoken, columns the consonant heard. "theta" and "eth" are
the first sounds of "thin" and "that", "sh" and "zh" the sibilants of "ship" and
"vision".

Source: Tables I to VI of G. A. Miller and P. E. Nicely (1955). An analysis of
perceptual confusions among some English consonants. Journal of the Acoustical Society
of America 27(2), 338-352.

Credit: the counts are those published by Miller and Nicely, in the machine-readable
form of the repository dalejn/rateDistortion.

Placed in the entropy triangle by F. J. Valverde-Albacete and C. Peláez-Moreno (2010).
Two information-theoretic tools to assess the performance of multi-class classifiers.
Pattern Recognition Letters 31(12), 1665-1671.
"""


def load_synthetic() -> Bunch:
    """Load the six synthetic 3 x 3 matrices of the paper on the entropy triangle.

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        With the following attributes.

        matrices : ndarray of shape (6, 3, 3), dtype int64
            Counts, rows true, columns predicted.
        names : list of str
            Names of the matrices, "a" to "f".
        labels : list of str
            Names of the classes.
        DESCR : str
            Description and source.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.

    Examples
    --------
    >>> from sklearn_entropy_metrics.datasets import load_synthetic
    >>> data = load_synthetic()
    >>> data.names
    ['a', 'b', 'c', 'd', 'e', 'f']
    >>> data.matrices[0]
    array([[15,  0,  5],
           [ 0, 15,  5],
           [ 0,  0, 20]])
    """
    return Bunch(
        matrices=np.array(list(_SYNTHETIC.values()), dtype=np.int64),
        names=list(_SYNTHETIC),
        labels=["x1", "x2", "x3"],
        DESCR=_SYNTHETIC_DESCR,
    )


def load_meg_mind_reading() -> Bunch:
    """Load the ten confusion matrices of the MEG mind reading challenge.

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        With the following attributes.

        matrices : ndarray of shape (10, 5, 5), dtype int64
            Counts of 653 test items each, rows true, columns predicted.
        names : list of str
            Names of the classifiers, "C1" to "C10", the most accurate first.
        labels : list of str
            Names of the classes, "x1" to "x5".
        DESCR : str
            Description, source and credit.

    References
    ----------
    .. [1] A. Klami et al. (2011). "ICANN/PASCAL2 challenge: MEG mind reading - overview
       and results". Aalto University Publication series SCIENCE + TECHNOLOGY 29/2011,
       3-19.
    .. [2] F. J. Valverde-Albacete and C. Peláez-Moreno (2014). "100% classification
       accuracy considered harmful: the normalized information transfer factor explains
       the accuracy paradox". PLoS ONE 9(1), e84217.

    Examples
    --------
    >>> from sklearn_entropy_metrics.datasets import load_meg_mind_reading
    >>> data = load_meg_mind_reading()
    >>> best = data.matrices[0]
    >>> print(f"{data.names[0]}: {best.trace() / best.sum():.3f}")
    C1: 0.680
    """
    names = [f"C{rank}" for rank in range(1, 11)]
    paths = [f"meg/C{rank:02d}.csv" for rank in range(1, 11)]
    return _load(paths, names, _MEG_DESCR)


def load_miller_nicely() -> Bunch:
    """Load the confusions of 16 English consonants heard in six levels of noise.

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        With the following attributes.

        matrices : ndarray of shape (6, 16, 16), dtype int64
            Counts of 4,000 responses each, rows spoken, columns heard.
        names : list of str
            The signal-to-noise ratios, "-18 dB" to "+12 dB", the noisiest first.
        labels : list of str
            Names of the consonants.
        DESCR : str
            Description, source and credit.

    References
    ----------
    .. [1] G. A. Miller and P. E. Nicely (1955). "An analysis of perceptual confusions
       among some English consonants". Journal of the Acoustical Society of America
       27(2), 338-352.
    .. [2] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.

    Examples
    --------
    >>> from sklearn_entropy_metrics.datasets import load_miller_nicely
    >>> data = load_miller_nicely()
    >>> for name, matrix in zip(data.names, data.matrices):
    ...     print(f"{name:>6}: {matrix.trace() / matrix.sum():.3f}")
    -18 dB: 0.078
    -12 dB: 0.270
     -6 dB: 0.465
      0 dB: 0.716
     +6 dB: 0.834
    +12 dB: 0.908
    """
    levels = ["minus18", "minus12", "minus06", "00", "plus06", "plus12"]
    names = ["-18 dB", "-12 dB", "-6 dB", "0 dB", "+6 dB", "+12 dB"]
    paths = [f"miller_nicely/snr_{level}.csv" for level in levels]
    return _load(paths, names, _MILLER_NICELY_DESCR)


def _load(paths, names, description):
    tables = [_read_table(path) for path in paths]
    return Bunch(
        matrices=np.stack([counts for _, counts in tables]),
        names=names,
        labels=tables[0][0],
        DESCR=description,
    )


def _read_table(path):
    """Labels of the rows and counts of one file: a header, then a line per class."""
    text = files(__package__).joinpath("data", path).read_text(encoding="utf-8")
    _, *lines = csv.reader(text.splitlines())
    counts = np.array([line[1:] for line in lines]).astype(np.int64)
    return [line[0] for line in lines], counts
