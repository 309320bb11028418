"""Several estates into one, over what they share of the facility (methodology: Multi-cluster merge)."""

from topology.merge.estates import merge_estates
from topology.merge.refusal import MergeRefused, Refusal

__all__ = ["MergeRefused", "Refusal", "merge_estates"]
