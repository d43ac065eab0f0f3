"""Files in, numbers and pictures out: the commands of the command line."""
