"""Kupa as an application of the eventsourcing library: its repository, its notification log, our recorders."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import Mapper
from eventsourcing.utils import Environment, EnvType

from service.store.mapper import LineMapper, Snapshot

FILE = "kupa.sqlite3"
STORAGE = {
    "eventsourcing.sqlite": "service.store.sqlite:SQLiteStorage",
    "eventsourcing.postgres": "service.store.postgres:PostgresStorage",
}
"""The library's names for its databases, and ours; its own recorders would drop side rows in silence."""


class Kupa(Application[UUID]):
    """All tables: one stream of lines a table, `repository.get(id, projector_func=…)` folds `Recorded` lines.

    Configured like any application of the library, with `environment()` for where the data lie. The aggregate
    cache stays off: it never advances an immutable aggregate.
    """

    name = "kupa"
    is_snapshotting_enabled = True
    snapshot_class: Any = Snapshot

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """The library's environment, with our storage in place of its own."""
        constructed = super().construct_env(name, env)
        module = constructed.get("PERSISTENCE_MODULE")
        if module in STORAGE:
            constructed["PERSISTENCE_MODULE"] = STORAGE[module]
        return constructed

    def construct_mapper(self) -> Mapper[UUID]:
        """Lines are stored as they are."""
        return LineMapper(transcoder=self.construct_transcoder())


def environment(*, data_dir: Path | str | None = None, database_url: str | None = None) -> dict[str, str]:
    """What to give `Kupa(env=…)` or a `ProjectionRunner` for the SQLite file in a folder, or for a PostgreSQL."""
    if database_url is not None:
        return {"PERSISTENCE_MODULE": STORAGE["eventsourcing.postgres"], "POSTGRES_URL": database_url}
    if data_dir is None:
        raise ValueError("a data folder or a database URL is needed")
    return {
        "PERSISTENCE_MODULE": STORAGE["eventsourcing.sqlite"],
        "SQLITE_DBNAME": str(Path(data_dir) / FILE),
        "SQLITE_LOCK_TIMEOUT": "3",
    }
