"""Generated estates of any size, and what the engine costs on them beside the alternatives."""
