"""What the service writes down: one line an occurrence, and never the values that a failing function held."""

from __future__ import annotations

import sys

import structlog


def configure() -> None:
    """Readable lines on a terminal, JSON lines elsewhere.

    Tracebacks are told without local variables: a table's hidden cards and seeds lie in them.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if sys.stdout.isatty():
        plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        structlog.configure(processors=[*shared, plain])
    else:
        lines = structlog.processors.JSONRenderer()
        structlog.configure(processors=[*shared, structlog.processors.format_exc_info, lines])
