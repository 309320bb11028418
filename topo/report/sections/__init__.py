"""The sections of the report, each a function from the findings to an element."""
