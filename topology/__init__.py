"""What the operator and the cluster say: files, labels, validation, the estate and its graph."""
