"""Speed and memory, as ratios to scikit-learn in the same run."""
