"""Table → where the entropies of the true and predicted classes go."""
