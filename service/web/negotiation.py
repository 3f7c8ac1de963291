"""Which media types a caller sends and accepts (RFC 9110, section 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from service.problems import Problem


def headers_of(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers of a request by their lower-case names; of one sent twice the last counts."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in raw}


def is_json(headers: Mapping[str, str]) -> bool:
    """Whether the headers say that the body is JSON in UTF-8, as it is."""
    kind = headers.get("content-type", "")
    if headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        return False
    return kind == "application/json" or _is_json(kind)


@lru_cache(maxsize=256)
def _is_json(kind: str) -> bool:
    name, *parameters = (part.strip() for part in kind.lower().split(";"))
    charsets = [text.partition("=")[2].strip('" ') for text in parameters if text.startswith("charset")]
    return name == "application/json" and all(charset in ("utf-8", "utf8") for charset in charsets)


@lru_cache(maxsize=1_024)
def best(accept: str | None, offered: Sequence[str]) -> str:
    """The one of `offered` that the Accept header prefers; the first of equals. Raises Problem not-acceptable."""
    if not accept or accept == "*/*":
        return offered[0]
    ranges = tuple(_ranges(accept))
    weighed = [(_weight(media, ranges), -place, media) for place, media in enumerate(offered)]
    weight, _, media = max(weighed)
    if weight <= 0:
        raise Problem("not-acceptable", f"This call answers with {' or '.join(offered)}.")
    return media


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    for part in accept.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        weights = [text.removeprefix("q=") for text in parameters if text.startswith("q=")]
        try:
            yield name, float(weights[0]) if weights else 1.0
        except ValueError:
            yield name, 0.0


def _weight(media: str, ranges: Sequence[tuple[str, float]]) -> float:
    """The weight that the most exact range gives to `media`."""
    given = dict(ranges)
    for name in (media, media.partition("/")[0] + "/*", "*/*"):
        if name in given:
            return given[name]
    return 0.0
