"""Which load to shed so that a cascade does not happen, or not all of it, and how long there is for that."""
