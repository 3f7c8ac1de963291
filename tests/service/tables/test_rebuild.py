"""The ledger made again from the lines: the same rows, or the difference told; missing rows added, wrong ones left."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from service.ledger.rebuild import add_missing, compare, games
from service.store.opening import open_store
from tests.service.store.conftest import Place
from tests.service.tables.conftest import House
from tests.service.tables.test_tokens import SHORT, play

KUPA = Path(sys.executable).with_name("kupa")
TRIGGERS_OFF = {
    "sqlite": ("DROP TRIGGER ledger_never_updated", "DROP TRIGGER ledger_never_deleted"),
    "postgres": ("ALTER TABLE kupa.ledger DISABLE TRIGGER ALL",),
}
TABLE = {"sqlite": "ledger", "postgres": "kupa.ledger"}


def told_apart(place: Place, *statements: str) -> None:
    """Change the ledger as no program of ours can: with its triggers taken off."""
    place.execute(*TRIGGERS_OFF[place.kind], *(statement.format(ledger=TABLE[place.kind]) for statement in statements))


@pytest.fixture
def table(place: Place, tell: Any) -> str:
    """A table of Kishpa some rounds old."""
    kept: dict[str, str] = {}

    async def story(house: House) -> None:
        game, seats, _ = await house.started(3, game="kishpa", rules=SHORT)
        await play(house, game, seats, 2, random.Random(3))
        kept["game"] = game

    tell(story)
    return kept["game"]


def test_the_rows_made_from_the_lines_are_the_rows_that_are_stored(table: str, tell: Any):
    async def story(house: House) -> None:
        compared = await compare(house.store, table)
        assert compared.holds
        assert compared.rows == len(await house.store.ledger(table)) > 10
        assert compared.lines == await house.store.version(table)
        assert [game async for game in games(house.store)].count(table) == 1

    tell(story)


def test_an_emptied_ledger_is_filled_again_with_the_same_rows(table: str, tell: Any, place: Place):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        kept["rows"] = await house.store.ledger(table)

    async def after(house: House) -> None:
        assert await house.store.ledger(table) == []
        compared = await compare(house.store, table)
        assert not compared.holds
        assert list(compared.missing) == kept["rows"]
        await add_missing(house.store, compared)
        assert await house.store.ledger(table) == kept["rows"]
        assert (await compare(house.store, table)).holds

    tell(before)
    told_apart(place, "DELETE FROM {ledger}")
    tell(after)


def test_a_row_that_is_wrong_or_too_many_is_told_and_nothing_is_written_beside_it(table: str, tell: Any, place: Place):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        kept["rows"] = await house.store.ledger(table)

    async def after(house: House) -> None:
        compared = await compare(house.store, table)
        first, last = kept["rows"][0], kept["rows"][-1]
        assert [(it.seq, it.index) for it in compared.wrong] == [(first.seq, first.index), (first.seq, 99)]
        changed, surplus = compared.wrong
        assert changed.stored == replace(first, amount=first.amount + 1)
        assert changed.made == first
        assert surplus.made is None
        assert compared.missing == (last,)
        with pytest.raises(AssertionError):
            await add_missing(house.store, compared)

    tell(before)
    first, last = kept["rows"][0], kept["rows"][-1]
    columns = ", ".join(f'"{field}"' for field in first.__struct_fields__)
    copied = columns.replace('"index"', "99")
    here = f'"seq" = {first.seq} AND "index" = {first.index}'
    told_apart(
        place,
        f"INSERT INTO {{ledger}} ({columns}) SELECT {copied} FROM {{ledger}} WHERE {here}",
        f'UPDATE {{ledger}} SET "amount" = "amount" + 1 WHERE {here}',
        f'DELETE FROM {{ledger}} WHERE "seq" = {last.seq} AND "index" = {last.index}',
    )
    tell(after)


def kupa(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "KUPA_DATA_DIR": str(folder)}
    command: list[str | Path] = [KUPA, "rebuild", "ledger", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> tuple[Path, str]:
    """A data folder with one table of Kishpa in it."""
    made: dict[str, str] = {}

    async def fill() -> None:
        store = await open_store(data_dir=tmp_path)
        house = House(store)
        game, _, _ = await house.started(2, game="kishpa", rules=SHORT)
        await house.started(2)
        made["game"] = game
        await store.close()

    asyncio.run(fill())
    return tmp_path, made["game"]


def test_the_operators_command_says_whether_the_ledger_follows_from_the_lines(folder: tuple[Path, str]):
    data, game = folder
    said = kupa(data)
    assert (said.returncode, said.stdout.splitlines()[-1][:8]) == (0, "2 tables")
    one = json.loads(kupa(data, game, "--json").stdout)
    assert (one["game"], one["missing"], one["wrong"]) == (game, [], [])
    assert one["rows"] >= 4


def test_the_operators_command_fills_a_ledger_that_lost_its_rows(folder: tuple[Path, str]):
    import sqlite3
    from contextlib import closing

    data, game = folder
    with closing(sqlite3.connect(data / "kupa.sqlite3", isolation_level=None)) as database:
        for statement in (*TRIGGERS_OFF["sqlite"], "DELETE FROM ledger"):
            database.execute(statement)
    lost = kupa(data)
    assert lost.returncode == 1
    assert "rows missing" in lost.stdout
    assert "NOT as the lines say" in lost.stdout
    filled = kupa(data, "--add-missing")
    assert filled.returncode == 0
    assert "now added" in filled.stdout
    assert kupa(data, game).returncode == 0


def test_a_table_that_is_not_there_is_said_so(folder: tuple[Path, str]):
    said = kupa(folder[0], "0190b6a4-1111-7abc-8def-0000000000ff")
    assert said.returncode == 1
    assert "There is no table" in said.stderr


def test_rows_are_added_by_nobody_while_the_service_holds_the_folder(folder: tuple[Path, str]):
    from service.serving import alone
    from tests.api.server import settings

    with alone(settings(folder[0])):
        said = kupa(folder[0], "--add-missing")
        assert said.returncode == 1
        assert "Another kupa serves" in said.stderr
        assert kupa(folder[0]).returncode == 0
