"""Every format of a picture, by name."""

from topo.diagram.model import Picture


def render(picture: Picture, form: str) -> str | bytes:
    """Return a picture as svg, png, html, dot, mmd or txt; only the modules it needs are loaded.

    Raises:
        TooLarge, TooLargeForMermaid: the picture does not fit into the format.
    """
    match form:
        case "svg":
            from topo.diagram.svg import render_svg

            return render_svg(picture)
        case "png":
            from topo.diagram.png import render_png

            return render_png(picture)
        case "html":
            from topo.diagram.page import render_html

            return render_html(picture)
        case "dot":
            from topo.diagram.dot import render_dot

            return render_dot(picture)
        case "mmd":
            from topo.diagram.mermaid import render_mermaid

            return render_mermaid(picture)
        case _:
            from topo.diagram.tree import render_tree

            return render_tree(picture)
