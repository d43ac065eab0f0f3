"""Evidence: intervals, comparisons and selection of classifiers."""
