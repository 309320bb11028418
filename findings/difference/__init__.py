"""What changed between two estates or two maps: figures, redundancy, wiring, and what is known of them."""
