"""Where there is room: what can still be added, what is rated but cannot be used, and what limits it."""
