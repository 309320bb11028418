"""The loop: change a document, hold it to the laws, keep what showed something new, and every break."""

from __future__ import annotations

import hashlib
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from tests.fuzz.damage import damaged
from tests.fuzz.oracles import ACCEPTED
from tests.fuzz.targets import Document, Target
from tests.fuzz.values import changed

LARGEST = 60_000
"""Longest input [B]; what is longer is cut."""
SECONDS_EACH = 2.0
"""Longest time [s] of this process that one input may take."""
KEPT = 4000
"""How many documents that showed something new are kept as starting points."""
SHORTENING_SECONDS = 20.0
"""Time [s] that is spent on making an input short that breaks a law."""


class TooSlow(BaseException):
    """An input takes too long; no `except Exception` on the way may keep it."""


@dataclass(slots=True)
class Found:
    """An input that broke a law, made short, and which law."""

    target: str
    text: bytes
    law: str
    seed: str

    @property
    def name(self) -> str:
        """A file name for it."""
        return f"{self.target}-{hashlib.sha256(self.text).hexdigest()[:12]}"

    def __str__(self) -> str:
        return f"{self.target}: {self.law} (seed {self.seed})\n{self.text[:1000]!r}"


@dataclass(slots=True)
class Outcome:
    """What a search did. `slowest` is the longest time [s] of one input."""

    target: str
    inputs: int = 0
    accepted: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    features: int = 0
    found: list[Found] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.target}: {self.inputs:,} inputs in {self.seconds:,.0f} s, {self.accepted:,} accepted, "
            f"{self.features} features, slowest {self.slowest:.2f} s, {len(self.found)} broken laws"
        )


class Search:
    """A search of one target from one seed: the same inputs on every run."""

    def __init__(self, target: Target, seed: int) -> None:
        self.target = target
        self.seed = seed
        self.outcome = Outcome(target.name)
        self._dice = Random(f"{target.name} {seed}")
        self._corpus = target.corpus()
        self._features: set[str] = set()
        self._laws: set[str] = set()

    def run(self, inputs: int, seconds: float, say: Callable[[str], None]) -> Outcome:
        """Try inputs until there were enough, or the time [s] is up."""
        started = said = time.monotonic()
        told = 0
        while self.outcome.inputs < inputs and time.monotonic() - started < seconds:
            self.step()
            if len(self.outcome.found) > told:
                told = len(self.outcome.found)
                say(str(self.outcome.found[-1]))
            if time.monotonic() - said > 60:
                said = time.monotonic()
                self.outcome.seconds = said - started
                say(str(self.outcome))
        self.outcome.seconds = time.monotonic() - started
        return self.outcome

    def step(self) -> None:
        """Try one input."""
        number = self.outcome.inputs
        document = self._next()
        law, seconds, features = self._attempt(document.text, f"{self.seed} {number}")
        self.outcome.inputs += 1
        self.outcome.accepted += ACCEPTED in features
        self.outcome.slowest = max(self.outcome.slowest, seconds)
        if law is not None:
            self._keep(document.text, law, f"{self.seed} {number}")
        elif not features <= self._features and len(self._corpus) < KEPT:
            self._features |= features
            self._corpus.append(document)
        self.outcome.features = len(self._features)

    def _next(self) -> Document:
        """Return a changed document: a new valid one, or one that showed something new; values or text."""
        dice = self._dice
        base = Document(b"", self.target.fresh(dice)) if dice.random() < 0.4 else dice.choice(self._corpus)
        other = dice.choice(self._corpus)
        if base.value is not None and dice.random() < 0.75:
            value = changed(base.value, dice, base.value if other.value is None else other.value)
            return Document(self.target.write(value, dice)[:LARGEST], value)
        text = base.text or self.target.write(base.value, dice)
        return Document(damaged(text, dice, other.text)[:LARGEST])

    def _attempt(self, text: bytes, seed: str) -> tuple[str | None, float, set[str]]:
        """Return the law that an input breaks, the time [s] it took, and its features."""
        started = time.process_time()
        law, features = None, set[str]()
        try:
            with _at_most(SECONDS_EACH):
                features = self.target.check(text, Random(seed))
        except TooSlow:
            law = "takes too long"
        except Exception as error:  # noqa: BLE001 - any exception is the finding
            law = _law(error)
        seconds = time.process_time() - started
        return law, seconds, features

    def _keep(self, text: bytes, law: str, seed: str) -> None:
        if law not in self._laws:
            self._laws.add(law)
            self.outcome.found.append(Found(self.target.name, self._shortened(text, law, seed), law, seed))

    def _shortened(self, text: bytes, law: str, seed: str) -> bytes:
        """Return a short input that breaks the same law: pieces are left out while it still does."""
        give_up = time.process_time() + SHORTENING_SECONDS
        step = max(1, len(text) // 2)
        while step:
            start = 0
            while start < len(text) and time.process_time() < give_up:
                shorter = text[:start] + text[start + step :]
                if self._attempt(shorter, seed)[0] == law:
                    text = shorter
                else:
                    start += step
            step //= 2
        return text


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` in what takes more time [s] of this process than that."""

    def late(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _law(error: Exception) -> str:
    """Name what went wrong, without the particulars of the input."""
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{frame.filename.rsplit('/', 2)[-1]}:{frame.lineno}" for frame in frames[-1:-3:-1])
    words = "".join(char if char.isascii() and not char.isdigit() else "" for char in str(error))
    return f"{type(error).__name__} at {where}: {words[:160] if isinstance(error, AssertionError) else ''}"
