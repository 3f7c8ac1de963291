"""Opening the store: who may read its file."""

import asyncio
from pathlib import Path

from service.store.opening import open_store
from tests.service.store.units import full_unit, new_game


def test_nobody_else_on_the_machine_may_read_the_file(tmp_path: Path):
    tmp_path.chmod(0o755)

    async def opened() -> None:
        store = await open_store(data_dir=tmp_path)
        await store.commit(full_unit(new_game()))
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}  # noqa: ASYNC240
        assert modes.keys() >= {"kupa.sqlite3", "kupa.sqlite3-wal"}
        assert set(modes.values()) == {0o600}
        await store.close()

    asyncio.run(opened())
