"""The visual language: one colour for each quantity, in plots and on pages."""

# Information transferred, lost or confused, and missing because classes are rare. All
# three are legible on black and on white.
INFORMATION = "#00664a"
LOSS = "#c4570b"
IMBALANCE = "#6a5acd"
