"""What every pair of failures loses beyond what its two failures lose alone, as rows and as a document."""
