"""What the minimal cut sets of a target mean: targets on the estate, probabilities, importance, dollars."""
