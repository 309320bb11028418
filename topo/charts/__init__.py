"""Charts of figures over time, as SVG."""
