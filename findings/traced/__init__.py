"""The definitions as findings: each value with the terms behind it, one module per family."""
