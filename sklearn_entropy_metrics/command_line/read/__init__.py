"""Files → tables."""
