"""Load shedding with a clock: which workloads to pause, in which order, at what price, how fast."""
