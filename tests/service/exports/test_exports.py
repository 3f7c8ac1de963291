"""The ledger's files, held against golden ones (`--accept` writes them), and made piece by piece."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest

from service.ledger import exports
from service.ledger.exports import COLUMNS, FORMATS, Book, pieces
from tests.evening import Rows, evening, file_of, rows_of
from tests.playing import START

GOLDEN = Path(__file__).parent / "golden"
SITTING = evening(seed=5, rounds=2, max_turns_per_round=3)
ROWS = rows_of(SITTING)


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_is_the_golden_one_byte_for_byte(form: str, tmp_path: Path, accept: bool):
    made = file_of(SITTING, form, tmp_path).read_bytes()
    golden = GOLDEN / f"ledger.{FORMATS[form].suffix}"
    if accept:
        golden.write_bytes(made)
    assert made == golden.read_bytes()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("at_once", [1, 7])
def test_a_file_made_in_small_pieces_is_the_same_file(
    form: str, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    whole = file_of(SITTING, form, tmp_path).read_bytes()
    monkeypatch.setattr(exports, "ROWS_AT_ONCE", at_once)
    assert file_of(SITTING, form, tmp_path).read_bytes() == whole


def test_a_file_stops_at_the_line_that_its_table_stands_at(tmp_path: Path):
    early = next(table for table in SITTING.tables if table.round == 2)
    book = Book(early, "0" * 64, START)

    async def made() -> bytes:
        return b"".join([piece async for piece in pieces(Rows(ROWS), book, FORMATS["ndjson"])])  # type: ignore[arg-type]

    seqs = [json.loads(line)["seq"] for line in asyncio.run(made()).splitlines()]
    assert seqs == [row.seq for row in ROWS if row.seq <= early.version]


def test_csv_is_what_rfc_4180_says_and_holds_whole_numbers(tmp_path: Path):
    text = file_of(SITTING, "csv", tmp_path).read_bytes().decode()
    assert text.count("\r\n") == len(ROWS) + 1
    listed = [*csv.DictReader(io.StringIO(text))]
    assert tuple(listed[0]) == COLUMNS
    for each, row in zip(listed, ROWS, strict=True):
        assert (int(each["amount"]), int(each["from_balance"]), int(each["to_balance"])) == (
            row.amount,
            row.payer_balance,
            row.payee_balance,
        )
        assert each["reverses_seq"] == ("" if row.reverses_seq is None else str(row.reverses_seq))


def test_a_scripted_table_says_so_in_its_file(tmp_path: Path):
    boxed = evening(seed=5, rounds=1)
    assert "sandbox" not in file_of(boxed, "hledger", tmp_path).read_text()
    from msgspec.structs import replace

    boxed.tables[-1] = replace(boxed.table, sandbox=True)
    assert "A sandbox table" in file_of(boxed, "hledger", tmp_path).read_text()
    assert "A sandbox table" in file_of(boxed, "beancount", tmp_path).read_text()
