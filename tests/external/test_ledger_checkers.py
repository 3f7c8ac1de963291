"""The exported ledger before the programs that accountants use: they accept it, and find what was changed in it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from domain.tokens import BANK
from tests.evening import evening, file_of, rows_of
from tests.external.conftest import says

SITTING = evening(seed=9)
ROWS = rows_of(SITTING)


def test_the_ledger_to_be_checked_has_everything_in_it():
    codes = Counter(row.code for row in ROWS)
    assert {"opening", "load", "contribution", "reversal"} <= codes.keys()
    assert len({row.at[:10] for row in ROWS}) > 1, "it spans several days"
    assert min(row.payer_balance for row in ROWS if row.payer != BANK) < 0, "somebody is in debt"
    assert {row.round for row in ROWS} >= {0, 1, 2, 3}


def test_hledger_accepts_the_journal_strictly_with_an_assertion_on_every_posting(hledger: str, tmp_path: Path):
    path = file_of(SITTING, "hledger", tmp_path)
    assert says([hledger, "check", "--strict", "-f", path]) == (0, "")
    text = path.read_text()
    postings = re.findall(r"^    (?:Assets|Equity):\S+  -?\d+ TOKEN(.*)$", text, re.MULTILINE)
    assert len(postings) == 2 * len(ROWS)
    assert all(re.fullmatch(r" = -?\d+ TOKEN", assertion) for assertion in postings)
    assert "\ncommodity 1. TOKEN\n" in text


def test_hledger_comes_to_the_same_balances(hledger: str, tmp_path: Path):
    path = file_of(SITTING, "hledger", tmp_path)
    code, said = says([hledger, "balance", "-f", path, "--flat", "--empty", "--no-total", "-O", "csv"])
    assert code == 0, said
    found = dict(re.findall(r'^"(\S+)","(-?\d+)(?: TOKEN)?"$', said, re.MULTILINE))
    expected = {"bank": "Equity:Bank", "bowl": "Assets:Bowl", **{f"seat:{n}": f"Assets:Seat:{n}" for n in range(3)}}
    balances = SITTING.table.books.balances
    assert found == {name: str(balances[account]) for account, name in expected.items()}


def test_bean_check_accepts_the_ledger(bean_check: Path, tmp_path: Path):
    path = file_of(SITTING, "beancount", tmp_path)
    assert says([bean_check, path]) == (0, "")
    text = path.read_text()
    assert text.count("\n  Assets:") + text.count("\n  Equity:") == 2 * len(ROWS)
    days = {row.at[:10] for row in ROWS}
    assert len(set(re.findall(r"^(\S+) balance ", text, re.MULTILINE))) == len(days)


@pytest.mark.parametrize("form", ["hledger", "beancount"])
def test_the_checkers_find_a_changed_amount_a_missing_transfer_and_an_unknown_account(
    hledger: str, bean_check: Path, tmp_path: Path, form: str
):
    path = file_of(SITTING, form, tmp_path)
    whole = path.read_text()
    strictly: list[str | Path] = [hledger, "check", "--strict", "-f", path]
    command = strictly if form == "hledger" else [bean_check, path]
    blocks = whole.split("\n\n")
    transfer = next(n for n, block in enumerate(blocks) if " contribution" in block or '"contribution"' in block)
    changes = {
        "a changed amount": re.sub(r"(Bowl  )1( TOKEN)", r"\g<1>2\2", whole, count=1),
        "a missing transfer": "\n\n".join(blocks[:transfer] + blocks[transfer + 1 :]),
        "an unknown account": whole.replace("Assets:Bowl  1 TOKEN", "Assets:Cup  1 TOKEN", 1),
    }
    for name, changed in changes.items():
        assert changed != whole, name
        path.write_text(changed)
        code, said = says(command)
        assert code != 0, f"{form} did not notice {name}"
        assert said


def test_an_empty_ledger_is_accepted_too(hledger: str, bean_check: Path, tmp_path: Path):
    assert says([hledger, "check", "--strict", "-f", file_of(SITTING, "hledger", tmp_path, [])]) == (0, "")
    assert says([bean_check, file_of(SITTING, "beancount", tmp_path, [])]) == (0, "")
