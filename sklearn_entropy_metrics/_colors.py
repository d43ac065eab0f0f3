"""The visual language: one colour for each thing, in pictures and on pages."""

# What is transferred, what is lost or confused, and what classes that are rare leave
# to be told. All three can be read on black and on white.
INFORMATION = "#1b7f5c"
LOSS = "#b5541c"
IMBALANCE = "#8a7a00"
