"""A grab is taken in silence, judged with all others, and answered once."""

from __future__ import annotations

import asyncio

import pytest

from domain.totem.moves import Grab
from service.callers import Reader
from service.problems import Problem
from service.web.limits import Bucket
from tests.service.grabs.conftest import Court, cards, lie_undecided, said
from tests.service.tables.conftest import idem

KEY = "key-of-a-grab-0001"


def test_a_right_grab_wins_and_the_loser_takes_the_cards(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        answer = await match.grab(0)
        assert answer.extra["grab"] == {"answer": "won", "outcome": "won"}
        [judged] = await match.lines("totem.grabs_judged")
        assert judged["by"] == "table"
        assert (judged["data"]["verdict"], judged["data"]["seat"], judged["data"]["losers"]) == ("duel", 0, [1])
        assert judged["move"]["type"] == "totem.judge_grabs"
        assert answer.version == judged["seq"] + len(answer.events) - 1
        assert await cards(match) == 80
        assert await house.store.grabs(match.game) == []

    tell(story)


def test_a_grab_without_a_key_is_kept_with_its_own_id(tell):
    """So the store, asked again when it fell silent, does not take it in a second time."""

    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(2)
        grab = match.grab(0)
        await lie_undecided(match, 1)
        [row] = await house.store.grabs(match.game)
        kept = await house.store.idempotency(f"seat:{match.game}:0", row.id)
        assert kept is not None
        assert (kept.status, kept.game, kept.first) == (202, match.game, row.version)
        assert said(await grab) == "won"

    tell(story)


def test_until_it_is_judged_a_grab_is_committed_and_is_no_line(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(2)
        before = await house.tables.resource(match.game, Reader()), await house.store.directory(match.game)
        grab = match.grab(0)
        while not (rows := await house.store.grabs(match.game)):  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.001)
        assert (rows[0].seat, rows[0].version) == (0, await match.version())
        assert before == (await house.tables.resource(match.game, Reader()), await house.store.directory(match.game))
        assert not grab.done()
        assert said(await grab) == "won"

    tell(story)


def test_of_two_grabs_the_faster_wins_and_both_hear_the_same_lines(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(2)
        await asyncio.sleep(0.1)
        first = match.grab(1)
        await asyncio.sleep(0.03)
        second = match.grab(0)
        won, lost = await first, await second
        assert (said(won), said(lost)) == ("won", "lost")
        assert won.events == lost.events
        assert (won.version, won.head) == (lost.version, lost.head)
        [judged] = await match.lines("totem.grabs_judged")
        assert [grab["outcome"] for grab in judged["data"]["grabs"]] == ["won", "beaten"]

    tell(story)


def test_a_claimed_reaction_is_believed_within_the_allowance_only(tell):
    async def story(house: Court) -> None:
        match = await house.matched(dead_heat_ms=0)
        match.slow(2)
        await asyncio.sleep(0.3)
        honest = match.grab(1)
        await asyncio.sleep(0.05)
        liar = match.grab(0, reaction_ms=0)  # without pings it may gain 20 ms
        assert (said(await honest), said(await liar)) == ("won", "lost")
        [judged] = await match.lines("totem.grabs_judged")
        assert [grab["compensation_ms"] for grab in judged["data"]["grabs"]] == [0, 20]

    tell(story)


def test_a_needless_grab_is_a_foul_and_its_sender_is_told(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        assert said(await match.grab(2)) == "foul"
        assert await cards(match) == 80
        state = await match.state()
        assert len(state.draws[2]) == 26 + 2 + 2  # the leftovers lay under the totem

    tell(story)


def test_a_grab_after_the_totem_is_gone_is_late_and_costs_nothing(tell):
    async def story(house: Court) -> None:
        match = await house.matched(settle_ms=700)
        assert said(await match.grab(0)) == "won"
        late = await match.grab(1)
        assert late.extra["grab"] == {"answer": "late", "outcome": "settling"}
        assert await cards(match) == 80

    tell(story)


def test_a_grab_that_names_an_old_reveal_is_void_at_once_whatever_else_lies_undecided(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(1, rtt=125)
        grab = match.grab(0)
        await asyncio.sleep(0.02)
        old = await match.grab(2, reveal=1)
        assert old.extra["grab"] == {"answer": "void", "outcome": "old_reveal"}
        assert not grab.done()
        assert said(await grab) == "won"
        assert len(await match.lines("totem.grabs_judged")) == 2

    tell(story)


def test_a_second_grab_of_a_seat_changes_nothing_and_costs_nothing(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(2)
        answers = await asyncio.gather(match.grab(0), match.grab(0), match.grab(0))
        assert [said(answer) for answer in answers] == ["won", "void", "void"]
        assert len(await match.lines("totem.grabs_judged")) == 1

    tell(story)


def test_a_seat_may_have_only_so_many_grabs_undecided(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        match.slow(1, rtt=125)
        grabs = [match.grab(0) for _ in range(6)]
        answers = await asyncio.gather(*grabs, return_exceptions=True)
        refused = [answer.code for answer in answers if isinstance(answer, Problem)]
        assert refused == ["rate-limited"] * 2

    tell(story)


def test_a_reveal_that_is_not_yet_published_cannot_be_grabbed_for(tell):
    async def story(house: Court) -> None:
        match = await house.dealt()
        for reveal in (1, 2, 99):
            with pytest.raises(Problem) as refused:
                await match.grab(0, reveal=reveal, idem=idem(KEY + str(reveal)))
            assert (refused.value.code, refused.value.ruling) == ("refused", "T-55")
        await match.turn_up(0)
        with pytest.raises(Problem) as refused:
            await match.grab(0, reveal=1, idem=idem(KEY + "1"))
        assert refused.value.headers["Idempotent-Replayed"] == "true"
        assert said(await match.grab(0, reveal=1, idem=idem(KEY + "new"))) == "foul"

    tell(story)


def test_before_the_start_and_after_the_end_a_grab_is_refused(tell):
    async def story(house: Court) -> None:
        from service.callers import SeatHolder
        from service.tables.answers import SitRequest
        from tests.service.tables.conftest import KEY as API_KEY

        game = (await house.open(2, game="totem")).game
        seated = await house.tables.sit(game, API_KEY, SitRequest(), None)
        seat = SeatHolder(game, seated.extra["seat"], API_KEY.id)
        with pytest.raises(Problem) as refused:
            await house.tables.move(game, seat, Grab(1), None, None)
        assert (refused.value.code, refused.value.ruling) == ("refused", "G-02")
        match = await house.matched()
        for who in (2, 1):
            await house.tables.leave(match.game, match.seats[who], who, None)
        with pytest.raises(Problem) as refused:
            await match.grab(0)
        assert (refused.value.code, refused.value.ruling) == ("refused", "G-12")

    tell(story)


def test_if_match_is_obeyed(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        version = await match.version()
        with pytest.raises(Problem) as stale:
            await house.tables.move(match.game, match.seats[0], Grab(2), None, version - 1)
        assert (stale.value.code, stale.value.version) == ("version-stale", version)
        assert said(await house.tables.move(match.game, match.seats[0], Grab(2), None, version)) == "won"

    tell(story)


def test_only_so_many_grabs_a_minute_are_taken_of_a_seat(tell):
    async def story(house: Court) -> None:
        match = await house.matched()
        house.tables.desk.bucket = Bucket("grabs", 3)
        for _ in range(3):
            assert (await match.grab(0, reveal=1)).extra["grab"]["outcome"] == "old_reveal"
        with pytest.raises(Problem) as limited:
            await match.grab(0)
        assert (limited.value.code, limited.value.retry_after) == ("rate-limited", 20)
        assert said(await match.grab(1)) == "won"

    tell(story)
