"""Tokens on their way into the store: rows in the same transaction, loads, the last round's button; on both stores."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from domain.table.moves import CallLastRound, Ready, Start, VoidRound
from domain.table.state import Playing
from service.callers import Host, SeatHolder
from service.ledger.rows import Standing, booked
from service.problems import Problem
from service.store.ledger import START
from service.store.rows import LedgerRow
from service.tables.answers import SitRequest
from service.tables.live import read
from service.tables.snapshots import taken
from tests.service.tables.conftest import KEY, House, idem

SHORT = {"max_turns_per_round": 6, "turn_timeout_s": 60}


async def problem(work: Any) -> Problem:
    with pytest.raises(Problem) as raised:
        await work
    return raised.value


async def ledger_of(house: House, game: str) -> list[LedgerRow]:
    return await house.store.ledger(game)


async def from_the_lines(house: House, game: str) -> list[LedgerRow]:
    return list(booked(game, Standing(), [read(stored.line) for stored in await house.store.lines(game)]))


async def void_round(house: House, game: str) -> None:
    """A referee's command, given as the later call will give it."""
    from domain.table.decide import decide
    from service.tables.commands import Order
    from service.tables.playing import known
    from service.tables.writing import Plan, with_commit

    async def plan(live: Any, at: str) -> Plan:
        step = with_commit(decide(known(live), "referee:key", VoidRound(), at), house.tables.dealer)
        return Plan(entries=step.entries, table=step.table)

    await house.tables.run(game, Order(caller="key:referee"), plan)


async def play(house: House, game: str, seats: list[SeatHolder], rounds: int, chance: random.Random) -> None:
    """Some rounds played by their lists; now and then a load, a clock, a voided round."""
    for _ in range(400):
        live = await house.tables.registry.get(game)
        table = live.table
        assert table is not None
        if table.round > rounds or not seats:
            return
        if chance.random() < 0.05:
            await house.tables.load(game, chance.choice(seats), None)
        if chance.random() < 0.03 and table.round and table.round not in table.voided:
            await void_round(house, game)
            continue
        movers = [(seat, (await house.tables.moves(game, seat, None, 0))["items"]) for seat in seats]
        able = [(seat, moves) for seat, moves in movers if moves]
        if not able:
            house.wait(61)
            await house.tables.act(game)
            continue
        seat, moves = chance.choice(able)
        await house.tables.move(game, seat, moved(chance.choice(moves)), None, None)


def moved(listed: dict[str, Any]) -> Any:
    import msgspec

    from service.tables.live import MOVES

    return msgspec.convert(listed, MOVES[listed["type"]])


@pytest.mark.parametrize("seed", range(2))
def test_the_rows_written_with_the_lines_are_the_rows_that_follow_from_the_lines(tell, seed):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        game, seats, _ = await house.started(3, game="kishpa", rules=SHORT)
        await play(house, game, seats, 2, random.Random(seed))
        kept["game"], kept["seats"] = game, seats

    async def after(house: House) -> None:
        game = kept["game"]
        await play(house, game, kept["seats"], 4, random.Random(seed + 100))
        rows = await ledger_of(house, game)
        assert len(rows) > 20
        assert rows == await from_the_lines(house, game)
        live = await house.tables.registry.get(game)
        assert live.table is not None
        last = {account: balance for row in rows for account, balance in both(row)}
        assert last == dict(live.table.books.balances)
        assert sum(last.values()) == 0
        assert {row.round for row in rows} >= {1, 2, 3}

    tell(before, after)


def both(row: LedgerRow) -> list[tuple[str, int]]:
    return [(row.payer, row.payer_balance), (row.payee, row.payee_balance)]


def test_f_11_every_accounts_running_balance_follows_from_its_rows(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started(2, game="kishpa", rules=SHORT)
        await play(house, game, seats, 3, random.Random(7))
        for account in ("bank", "bowl", "seat:0", "seat:1"):
            balance = 0
            for row in await house.store.books.page(game, START, 10_000, account):
                balance += row.amount if row.payee == account else -row.amount
                assert (row.payee_balance if row.payee == account else row.payer_balance) == balance
                assert row.code
                assert row.clause
                assert row.at

    tell(story)


def test_a_voided_round_is_reversed_row_by_row_each_naming_what_it_undoes(tell):
    async def story(house: House) -> None:
        game, _, _ = await house.started(3, game="kishpa", rules=SHORT)
        await void_round(house, game)
        rows = await ledger_of(house, game)
        backs = [row for row in rows if row.code == "reversal"]
        named = [(row.reverses_seq, row.reverses_index) for row in backs]
        paid = [(row.seq, row.index) for row in rows if row.code not in ("opening", "load", "reversal")]
        assert sorted(named) == sorted(paid)
        assert {row.round for row in backs} == {1}
        last = {account: balance for row in rows for account, balance in both(row)}
        assert last == {"bank": -6_000, "bowl": 0, "seat:0": 2_000, "seat:1": 2_000, "seat:2": 2_000}

    tell(story)


def test_ks_73_a_load_with_a_key_sent_twice_is_one_load(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started(2, game="kishpa")
        first = await house.tables.load(game, seats[1], idem("load-once-please"))
        again = await house.tables.load(game, seats[1], idem("load-once-please"))
        assert again.replayed
        assert again.events == first.events
        loads = [row for row in await ledger_of(house, game) if row.code == "load"]
        assert [(row.payee, row.amount, row.clause) for row in loads] == [("seat:1", 50, "K-80")]

    tell(story)


def test_f_3_twenty_loads_at_once_are_twenty_and_each_keyed_twin_is_one(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started(2, game="kishpa")
        await asyncio.gather(
            *(house.tables.load(game, seats[n % 2], idem(f"load-{n:016}")) for n in range(20) for _ in range(2))
        )
        loads = [row for row in await ledger_of(house, game) if row.code == "load"]
        assert len(loads) == 20
        assert [row.payee_balance for row in loads if row.payee == "seat:0"] == list(
            range(loads[0].payee_balance, loads[0].payee_balance + 500, 50)
        )

    tell(story)


def test_k_80_a_load_is_taken_while_the_table_is_open_and_not_from_a_seat_elsewhere(tell):
    async def story(house: House) -> None:
        game = (await house.open(2, game="kishpa")).game
        await house.tables.sit(game, KEY, SitRequest(), None)
        await house.tables.load(game, SeatHolder(game, 0, KEY.id), None)
        assert [row.round for row in await ledger_of(house, game)] == [0]
        no = await problem(house.tables.load(game, SeatHolder("elsewhere", 0, KEY.id), None))
        assert no.code == "wrong-role"
        await house.tables.leave(game, SeatHolder(game, 0, KEY.id), 0, None)
        rows = await ledger_of(house, game)
        assert [(row.code, row.payer, row.payee) for row in rows] == [
            ("load", "bank", "seat:0"),
            ("reversal", "seat:0", "bank"),
        ]

    tell(story)


def test_a_table_without_tokens_takes_no_load_and_has_an_empty_ledger(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started()
        no = await problem(house.tables.load(game, seats[0], None))
        assert no.code == "invalid-value"
        assert await ledger_of(house, game) == []

    tell(story)


def test_f_9_a_seat_that_left_loads_no_more_and_the_rest_are_paid(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started(3, game="kishpa", rules=SHORT)
        await house.tables.leave(game, seats[2], 2, None)
        no = await problem(house.tables.load(game, seats[2], None))
        assert no.ruling == "G-09"
        await play(house, game, seats[:2], 3, random.Random(1))
        rows = await ledger_of(house, game)
        assert rows == await from_the_lines(house, game)
        assert all(row.payer_balance >= 0 for row in rows if row.payer == "bowl")

    tell(story)


# K-75: the last round's button


def test_ks_68_a_second_press_gets_the_same_answer_and_one_event_lies_in_the_lines(tell):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        game, seats, host = await house.started(2, game="kishpa")
        first = await house.tables.host(game, seats[0], CallLastRound(), idem("press-it-once-0001"))
        await house.tables.load(game, seats[1], None)
        for who, key in ((seats[0], None), (host, None), (seats[0], idem("press-it-once-0002"))):
            again = await house.tables.host(game, who, CallLastRound(), key)
            assert (again.status, again.version, again.head, again.events) == (
                first.status,
                first.version,
                first.head,
                first.events,
            )
        kept.update(game=game, seats=seats, first=first)

    async def after(house: House) -> None:
        game, seats, first = kept["game"], kept["seats"], kept["first"]
        house.wait(5)
        again = await house.tables.host(game, seats[0], CallLastRound(), idem("press-it-once-0002"))
        assert again.replayed
        assert (again.version, again.events) == (first.version, first.events)
        told = [stored.type for stored in await house.store.lines(game)]
        assert told.count("table.last_round_called") == 1

    tell(before, after)


def test_ks_68_two_presses_at_once_are_one(tell):
    async def story(house: House) -> None:
        game, seats, host = await house.started(2, game="kishpa")
        answers = await asyncio.gather(
            *(house.tables.host(game, who, CallLastRound(), None) for who in (seats[0], host, seats[0], host))
        )
        assert len({(answer.version, answer.head, answer.events) for answer in answers}) == 1

    tell(story)


def test_ks_68_another_seat_may_not_press_before_or_after_the_creator(tell):
    async def story(house: House) -> None:
        game, seats, _ = await house.started(2, game="kishpa")
        assert (await problem(house.tables.host(game, seats[1], CallLastRound(), None))).code == "wrong-role"
        await house.tables.host(game, seats[0], CallLastRound(), None)
        assert (await problem(house.tables.host(game, seats[1], CallLastRound(), None))).code == "wrong-role"

    tell(story)


def test_k_04_the_creators_seat_is_the_one_taken_with_the_hosts_token(tell):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        game = (await house.open(3, game="kishpa")).game
        host = Host(game, KEY.id)
        await house.tables.sit(game, KEY, SitRequest(seat=0), None)
        await house.tables.sit(game, host, SitRequest(seat=2), None)
        await house.tables.renew_token(game, KEY, 2, None)
        await house.tables.sit(game, KEY, SitRequest(seat=1), None)
        kept["game"] = game

    async def after(house: House) -> None:
        game = kept["game"]
        seats = [SeatHolder(game, n, KEY.id) for n in range(3)]
        assert (await problem(house.tables.host(game, seats[0], CallLastRound(), None))).code == "wrong-role"
        await house.tables.host(game, Host(game, KEY.id), Start(), None)
        table = (await house.tables.registry.get(game)).table
        assert table is not None
        assert isinstance(table.phase, Playing)
        assert (table.creator, table.state.round.starter) == (2, 2)
        await house.tables.host(game, seats[2], CallLastRound(), None)

    tell(before, after)


def test_k_75_when_the_creator_leaves_the_next_seat_clockwise_has_the_button(tell):
    async def story(house: House) -> None:
        game = (await house.open(3, game="kishpa")).game
        await house.tables.sit(game, KEY, SitRequest(seat=0), None)
        await house.tables.sit(game, Host(game, KEY.id), SitRequest(seat=1), None)
        await house.tables.sit(game, KEY, SitRequest(seat=2), None)
        await house.tables.host(game, Host(game, KEY.id), Start(), None)
        seats = [SeatHolder(game, n, KEY.id) for n in range(3)]
        await house.tables.leave(game, seats[1], 1, None)
        assert (await problem(house.tables.host(game, seats[0], CallLastRound(), None))).code == "wrong-role"
        answer = await house.tables.host(game, seats[2], CallLastRound(), None)
        assert answer.status == 200

    tell(story)


def test_k_77_after_the_end_the_button_is_refused_though_it_was_pressed(tell):
    async def story(house: House) -> None:
        game, seats, host = await house.started(2, game="kishpa", rules=SHORT)
        await house.tables.host(game, host, CallLastRound(), None)
        for _ in range(80):
            table = (await house.tables.registry.get(game)).table
            assert table is not None
            if table.round > 1 and not isinstance(table.phase, Playing):
                break
            house.wait(61)
            await house.tables.act(game)
            for seat in seats:
                if isinstance(table.phase, Playing):
                    continue
                try:
                    await house.tables.move(game, seat, Ready(), None, None)
                except Problem:
                    continue
        no = await problem(house.tables.host(game, host, CallLastRound(), None))
        assert (no.code, no.ruling) == ("refused", "G-12")

    tell(story)


def test_the_books_survive_a_snapshot_and_a_table_goes_on_from_it(tell):
    kept: dict[str, Any] = {}

    async def before(house: House) -> None:
        game, seats, _ = await house.started(3, game="kishpa", rules=SHORT)
        await play(house, game, seats, 2, random.Random(11))
        kept.update(game=game, seats=seats)
        live = await house.tables.registry.get(game)
        assert live.table is not None
        kept["books"] = live.table.books
        await house.store.keep_snapshot(game, live.table.version, taken(live))

    async def after(house: House) -> None:
        game = kept["game"]
        live = await house.tables.registry.get(game)
        assert live.table is not None
        assert live.kept[0] == live.table.version, "loaded from the snapshot, not from the lines"
        assert live.table.books == kept["books"]
        await house.tables.load(game, kept["seats"][0], None)
        await void_round(house, game)
        rows = await ledger_of(house, game)
        assert rows == await from_the_lines(house, game)
        assert rows[-1].code == "reversal"

    tell(before, after)
