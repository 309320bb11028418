"""What it means: one module per definition of the methodology, and the assembled document."""
