"""The texts of `--help` about files, with examples."""

DATA = """\
FILE has a header and a row for each sample. It is a CSV file, or TSV if its name ends
in .tsv or .tab; either may be gzipped (.gz); it is Parquet if its name ends in .parquet
or .pq. "-" is standard input. Text is UTF-8. Labels are text: "1" and "01" are two
classes. Empty cells are errors. Classes are sorted, whole numbers by value, unless
--labels names them.
"""

REPORT_EXAMPLES = """\
examples:
  one prediction:
    %(prog)s results.csv --true truth --pred tree

  several predictions of the same samples, one row each:
    %(prog)s results.csv --true truth --pred tree forest boosting

  probabilities, one column for each class, in the order of the labels:
    %(prog)s results.csv --true truth --proba p_cat p_dog p_owl --labels cat dog owl

  the probability of the second of two classes, with the predicted labels:
    %(prog)s results.csv --true y --pred label --proba p_yes --labels no yes

  rows that stand for several samples, and a report for each group:
    %(prog)s counted.csv --true truth --pred tree --counts n --by hospital

  confusion matrices, true classes in rows, one row each:
    %(prog)s --matrix C01.csv C02.csv C03.csv

  a self-contained page with plots:
    %(prog)s results.csv --true truth --pred tree --format html -o report.html

  from a pipe, for a program:
    zcat huge.csv.gz | %(prog)s - --true y --pred p --format json -o report.json

exit status: 0 for success, 1 if a file is invalid, 2 if the arguments are.
"""

COMPARE_EXAMPLES = """\
examples:
  which of three classifiers is the best, and which are tied with it:
    %(prog)s results.csv --true truth --pred tree forest boosting

  in each hospital, for a program:
    %(prog)s results.csv --true truth --pred tree forest --by hospital --format json

exit status: 0 for success, 1 if a file is invalid, 2 if the arguments are.
"""

PLOT_EXAMPLES = """\
examples:
  the entropy triangle, a point for each prediction:
    %(prog)s results.csv --true truth --pred tree forest -o triangle.svg

  with separate points for true and predicted classes:
    %(prog)s results.csv --true truth --pred tree --split -o split.pdf

  the φ-δ diamond, a point for each class:
    %(prog)s results.csv --true truth --pred tree --kind phi-delta -o diamond.png

  the information diagram of a confusion matrix:
    %(prog)s --matrix C01.csv --kind diagram -o diagram.svg

exit status: 0 for success, 1 if a file is invalid, 2 if the arguments are.
"""
