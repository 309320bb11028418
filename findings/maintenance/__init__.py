"""Whether something may be taken out now, what that leaves, and by when the work must start."""
