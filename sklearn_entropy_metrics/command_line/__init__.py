"""The commands of the command line: from files to numbers and plots."""
