"""The command, and the public names of the library."""
