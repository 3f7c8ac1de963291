"""What can be asked of the ledger, on both databases: pages, sums, a player's tokens, the lines that explain them."""

from __future__ import annotations

from msgspec.structs import replace

from service.store.ledger import START, Turnover
from service.store.port import Unit
from service.store.rows import LedgerRow, SeatRow, StoredLine
from tests.service.store.units import AT, directory_row, lines_of, new_game


def row(game: str, seq: int, index: int, payer: str, payee: str, amount: int, code: str = "win") -> LedgerRow:
    at = f"2026-11-29T22:01:{seq:02}.000000Z"
    return LedgerRow(game, seq, index, 1, payer, payee, amount, code, "K-62", -amount, amount, at=at)


def rows_of(game: str) -> tuple[LedgerRow, ...]:
    return (
        row(game, 2, 0, "bank", "seat:0", 50, "load"),
        row(game, 2, 1, "bank", "seat:1", 50, "load"),
        row(game, 4, 0, "seat:0", "bowl", 1, "contribution"),
        row(game, 4, 1, "seat:1", "bowl", 1, "contribution"),
        row(game, 6, 0, "bowl", "seat:0", 2, "bowl_won"),
    )


def unit(game: str, **directory: object) -> Unit:
    return Unit(
        game=game,
        at=AT,
        lines=lines_of(game, 1, 6),
        ledger=rows_of(game),
        directory=directory_row(game, 6, **directory),
        seats=(SeatRow(game, 0, "k1", f"p0-{game}", None, 1), SeatRow(game, 1, "k2", f"p1-{game}", None, 1)),
    )


def test_a_ledger_is_read_page_by_page_whole_or_for_one_account(place):
    game, other = new_game(), new_game()

    async def story(store):
        await store.commit(unit(game))
        await store.commit(unit(other))
        assert await store.books.page(game) == list(rows_of(game)) == await store.ledger(game)
        first = await store.books.page(game, START, 3)
        rest = await store.books.page(game, (first[-1].seq, first[-1].index), 3)
        assert (*first, *rest) == rows_of(game)
        mine = await store.books.page(game, START, 9, "seat:1")
        assert mine == [each for each in rows_of(game) if "seat:1" in (each.payer, each.payee)]
        assert await store.books.page(game, (2, 0), 1, "seat:1") == mine[:1]
        assert await store.books.page(game, (6, 0)) == []

    place.run(story)


def test_the_sums_are_those_up_to_a_line(place):
    game = new_game()

    async def story(store):
        await store.commit(unit(game))
        assert await store.books.turnover(game, 2) == [
            Turnover("load", "bank", "seat:0", 1, 50),
            Turnover("load", "bank", "seat:1", 1, 50),
        ]
        late = await store.books.turnover(game, 6)
        assert sum(each.transfers for each in late) == 5
        assert all(isinstance(each.amount, int) for each in late)
        assert await store.books.turnover(new_game(), 99) == []

    place.run(story)


def test_lines_are_found_by_their_kind_and_a_round_by_its_start(place):
    game = new_game()
    lines = tuple(
        StoredLine(line.seq, kind, line.line)
        for line, kind in zip(
            lines_of(game, 1, 6),
            ("table.created", "table.round_started", "x.paid", "x.told", "table.round_started", "x.paid"),
            strict=True,
        )
    )

    async def story(store):
        await store.commit(replace(unit(game), lines=lines))
        assert await store.books.told(game, ["x.paid", "x.told"], 3, 6) == [lines[2], lines[3], lines[5]]
        assert await store.books.told(game, ["x.paid"], 4, 5) == []
        assert [await store.books.round_start(game, seq) for seq in range(1, 7)] == [1, 2, 2, 2, 5, 5]

    place.run(story)


def test_a_players_tokens_are_those_of_his_time_at_the_seat_and_of_no_sandbox_table(place):
    game, sandbox, shared = new_game(), new_game(), new_game()

    async def story(store):
        await store.commit(unit(game))
        boxed = unit(sandbox, sandbox=True)
        await store.commit(replace(boxed, seats=(replace(boxed.seats[0], player=f"p0-{game}"),)))
        two = unit(shared)
        gone = replace(two.seats[0], player=f"p0-{game}", until=3)
        after = replace(two.seats[0], player="somebody else", since=4)
        await store.commit(replace(two, seats=(gone, after)))
        player = f"p0-{game}"
        found = await store.books.of_player(player, ("", "", 0, 0), 10)
        expected = [each for each in rows_of(game) if "seat:0" in (each.payer, each.payee)] + [rows_of(shared)[0]]
        assert [each.row for each in found] == sorted(expected, key=lambda each: (each.at, each.game))
        assert {each.account for each in found} == {"seat:0"}
        assert await store.books.balance_of_player(player) == 50 - 1 + 2 + 50
        assert await store.books.balance_of_player("somebody else") == 2
        assert await store.books.balance_of_player("nobody") == 0
        last = found[1].row
        assert await store.books.of_player(player, (last.at, last.game, last.seq, last.index), 10) == found[2:]
        assert await store.books.owners(player) == {"k1"}
        assert await store.books.owners("nobody") == set()

    place.run(story)


def test_every_table_is_found_whatever_its_visibility(place):
    games = sorted(new_game() for _ in range(3))

    async def story(store):
        for game in games:
            await store.commit(unit(game, visibility="private"))
        found = await store.books.games("")
        assert [game for game in found if game in games] == games
        assert games[0] not in await store.books.games(games[0])

    place.run(story)


def test_a_seat_says_whether_it_was_taken_with_the_hosts_token(place):
    game = new_game()

    async def story(store):
        two = unit(game)
        await store.commit(replace(two, seats=(replace(two.seats[0], host=True), two.seats[1])))
        assert [seat.host for seat in await store.seats(game)] == [True, False]

    place.run(story)
