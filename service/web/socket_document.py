"""The AsyncAPI document of a table's socket: written by hand in `asyncapi.yaml`, served as JSON."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

import msgspec
import yaml


def text() -> str:
    """The document as it is written; `api-spec/` holds a copy for readers."""
    return resources.files("service.web").joinpath("asyncapi.yaml").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def encoded() -> bytes:
    """The document as JSON."""
    return msgspec.json.encode(yaml.safe_load(text()))
