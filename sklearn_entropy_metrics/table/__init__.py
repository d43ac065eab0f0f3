"""Labels, probabilities and matrices → checked tables: the only gate for user data."""
