"""The visual language: one colour for each quantity, in plots and on pages."""

# Information transferred, lost or confused, and missing because classes are rare. All
# three are legible on black and on white.
INFORMATION = "#1b7f5c"
LOSS = "#b5541c"
IMBALANCE = "#8a7a00"
