"""A few whole evenings as the soak plays them by the thousand (python -m tests.soak.evenings)."""

from __future__ import annotations

import pytest

from tests.soak.evenings import Evening, Tally, played


@pytest.mark.parametrize("number", range(6))
def test_an_evening_at_random_loses_no_tile_and_no_token(number):
    tally = played(number, rounds=4)
    assert tally.rounds >= 1
    assert tally.codes["contribution"] > 0


def test_a_token_out_of_nowhere_is_found():
    from msgspec.structs import replace

    from tests.soak.evenings import tokens_are_kept

    evening = Evening(1, rounds=1)
    evening.play()
    table = evening.table
    place = next(n for n, entry in enumerate(table.entries) if getattr(entry.event, "transfers", ()))
    entry = table.entries[place]
    more = tuple(replace(transfer, amount=transfer.amount + 1) for transfer in entry.event.transfers)
    table.entries[place] = replace(entry, event=replace(entry.event, transfers=more))
    with pytest.raises(AssertionError, match="line"):
        tokens_are_kept(table)


def test_tallies_add_up():
    assert str(played(2, rounds=1) + Tally()).endswith(str(played(2, rounds=1)).rpartition(": ")[2])
