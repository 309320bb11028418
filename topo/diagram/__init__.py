"""Pictures of a facility and its blast radius.

`picture.picture` makes a `model.Picture` from an estate and the engine's results: data, no drawing. Every
renderer (`svg`, `png`, `page`, `dot`, `mermaid`, `tree`; by name: `render.render`) takes that picture alone.
"""
