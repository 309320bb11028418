"""Text that cannot be parsed, as data: what is wrong at which character, and what to do."""


class Unreadable(Exception):
    """A file that YAML or JSON cannot read. Offsets count characters from 0; `related` are further ones."""

    def __init__(
        self,
        rule: str,
        offset: int,
        message: str,
        hint: str,
        *,
        ids: tuple[str, ...] = (),
        related: tuple[tuple[int, str], ...] = (),
    ) -> None:
        super().__init__(rule, offset, message)
        self.rule = rule
        self.offset = offset
        self.message = message
        self.hint = hint
        self.ids = ids
        self.related = related

    def __str__(self) -> str:
        return f"{self.message} (at character {self.offset})"
