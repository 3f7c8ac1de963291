"""What a view shows and for how long: looks, the memory aid, the pile, and nothing that lies face down (H-07, H-26)."""

import json
from typing import Any, Self

import msgspec

from domain.game import Move, type_of
from domain.gate import Caller, hearable
from domain.hatchatul import GAME
from domain.hatchatul import moves as m
from domain.hatchatul.rules import HatchatulRules
from domain.hatchatul.view import Look, View
from domain.table import moves as asked
from domain.table.state import now
from tests.domain.hatchatul.scenario import DICE, A, B, C, Position, dealt, stacked, view_of
from tests.playing import Sitting

ROWS = [(9, 8, 7, 6), (1, 2, 3, 4), (5, 6, 7, 8)]
IN_TURN = [ROWS[seat][slot] for slot in range(4) for seat in (B, C, A)]


class Round:
    """A round of three from its deal on, with the views of all seats and of a spectator."""

    def __init__(self, *stock: Any, looks: bool = False, **rules: Any) -> None:
        self.position = dealt(stacked([3, *stock], 3, rows=IN_TURN), 3, **rules)
        self.views: dict[int | None, View] = {
            seat: view_of(seat, self.position.events, GAME.empty_view(HatchatulRules(**rules), 3, seat))
            for seat in (A, B, C, None)
        }
        if not rules.get("open_outer"):
            for seat in (A, B, C):
                self.give(seat, m.PeekStart() if looks else m.Skip())

    def give(self, seat: int, *moves: Move) -> Self:
        for move in moves:
            self.hear(self.position.when(seat, move))
        return self

    def hear(self, position: Position) -> Self:
        self.position = position
        self.views = {seat: view_of(seat, position.events, view) for seat, view in self.views.items()}
        return self

    def leave(self, seat: int) -> Self:
        state = self.position.state
        return self.hear(self.position.hearing(GAME.leave(state, seat, "2026-11-30T12:00:00.000000Z", DICE)))

    def time_out(self) -> Self:
        state = self.position.state
        due = GAME.due(state)
        assert due is not None
        return self.hear(self.position.hearing(GAME.when_due(state, due, due.at or "", DICE)))

    def shown(self, seat: int | None) -> tuple[Look, ...]:
        return self.views[seat].shown

    def known(self, seat: int | None) -> Any:
        return self.views[seat].known


def test_a_drawn_number_is_shown_to_him_who_holds_it_until_he_plays_it():
    for play in (m.Throw(), m.Place(2)):
        table = Round(5, 4).give(B, m.DrawStock())
        assert table.shown(B) == (Look(None, 5),)
        assert table.shown(A) == table.shown(C) == table.shown(None) == ()
        assert table.views[A].held is None
        assert table.views[A].phase == "holding"
        assert table.give(B, play).shown(B) == ()


def test_a_drawn_action_card_is_seen_by_all():
    table = Round("peek").give(B, m.DrawStock())
    assert all(view.held == "peek" and view.shown == () for view in table.views.values())


def test_g_06_a_command_of_that_seat_to_the_table_covers_the_look_too_and_a_command_of_the_host_does_not():
    deck = stacked([3, "peek", 4], 3, rows=IN_TURN)
    for by, still in ((f"seat:{A}", False), ("host", True)):
        table = Sitting(GAME, HatchatulRules(rounds=None), 3, decks=[deck]).seat_all()
        for seat in (A, B, C):
            table.give(f"seat:{seat}", m.Skip())
        for seat in (B, C):
            for move in (m.DrawStock(), m.Throw(), m.EndTurn()):
                table.give(f"seat:{seat}", move)
        table.give(f"seat:{A}", m.DrawStock())  # he holds a number that he is shown
        held = table.view(A).inner.shown
        assert held != ()
        table.give(by, asked.CallLastRound())
        assert table.view(A).inner.shown == (held if still else ())
        served = [line.seq for line in table.headings if line.to == A and hearable(line, Caller(A), now(table.table))]
        assert bool(served) == still


def test_g_06_a_peek_is_shown_until_the_next_command_of_that_seat():
    table = Round("peek", 4).give(B, m.DrawStock(), m.UsePeek(3))
    assert table.shown(B) == (Look(3, 3),)
    assert table.shown(A) == ()
    assert table.give(B, m.EndTurn()).shown(B) == ()


def test_g_06_the_clocks_move_ends_a_look_too():
    table = Round("peek", 4).give(B, m.DrawStock(), m.UsePeek(3))
    assert table.time_out().shown(B) == ()


def test_g_06_the_other_player_of_a_swap_keeps_his_look_until_he_acts():
    table = Round("swap", 4, 5).give(B, m.DrawStock(), m.UseSwap(1, A, 2))
    assert table.shown(B) == (Look(1, 8),)
    assert table.shown(A) == (Look(2, 1),)
    assert table.shown(C) == ()
    table.give(B, m.EndTurn()).give(C, m.DrawStock(), m.Throw(), m.EndTurn())
    assert table.shown(A) == (Look(2, 1),)
    assert table.give(A, m.TakeDiscard(1)).shown(A) == ()


def test_g_06_the_reveal_ends_every_look():
    table = Round("swap", 4, 5).give(B, m.DrawStock(), m.UseSwap(1, C, 2), m.Knock())
    table.give(C, m.DrawStock(), m.Throw(), m.EndTurn()).give(A, m.DrawStock(), m.Throw())
    assert table.shown(C) == ()
    table = Round("draw2", 4, "swap").give(B, m.DrawStock(), m.Throw(), m.Knock()).give(C, m.DrawStock(), m.Throw())
    table.give(C, m.EndTurn()).give(A, m.DrawStock(), m.UseSwap(1, B, 2))
    assert table.shown(B) == (Look(2, 9),)
    assert table.give(A, m.EndTurn()).shown(B) == ()


def test_leaving_ends_a_look():
    table = Round("swap").give(B, m.DrawStock(), m.UseSwap(1, A, 2)).leave(A)
    assert table.shown(A) == ()
    assert table.shown(B) == (Look(1, 8),)


def test_a_card_that_was_swapped_away_is_shown_no_more():
    table = Round("swap", "swap", swap_look="own_new").give(B, m.DrawStock(), m.UseSwap(1, A, 2), m.EndTurn())
    table.give(C, m.DrawStock(), m.UseSwap(4, A, 2))
    assert table.shown(A) == (Look(2, 8),)
    quiet = Round("swap", swap_look="none").give(B, m.DrawStock(), m.UseSwap(1, A, 2))
    assert quiet.shown(A) == quiet.shown(B) == ()


def test_without_the_aid_a_view_remembers_nothing():
    table = Round("peek", 0, looks=True).give(B, m.DrawStock(), m.UsePeek(3), m.EndTurn())
    assert table.known(B) is None
    assert table.views[B].rows == ((None,) * 4,) * 3


def test_h_07_the_aid_keeps_what_a_player_saw_drew_and_took_of_his_own_row():
    table = Round("peek", 0, 5, looks=True, memory_aid=True)
    assert table.known(A) == (9, None, None, 6)
    assert table.known(B) == (1, None, None, 4)
    assert table.known(None) is None
    table.give(B, m.DrawStock(), m.UsePeek(3))
    assert table.known(B) == (1, None, 3, 4)
    table.give(B, m.EndTurn()).give(C, m.DrawStock(), m.Place(2), m.EndTurn())
    assert table.known(C) == (5, 0, None, 8)
    table.give(A, m.TakeDiscard(1))
    assert table.known(A) == (6, None, None, 6), "C threw a 6"


def test_h_07_the_aid_forgets_what_was_swapped_or_replaced():
    table = Round("swap", "swap", 5, looks=True, memory_aid=True).give(B, m.DrawStock(), m.UseSwap(1, A, 2))
    assert table.known(B) == (8, None, None, 4)
    assert table.known(A) == (9, 1, None, 6)
    quiet = Round("swap", "peek", looks=True, memory_aid=True, swap_look="none")
    quiet.give(B, m.DrawStock(), m.UseSwap(1, A, 1), m.EndTurn())
    assert quiet.known(B) == (None, None, None, 4)
    assert quiet.known(A) == (None, None, None, 6)
    quiet.give(C, m.DrawStock(), m.Place(1))
    assert quiet.known(C) == ("peek", None, None, 8)


def test_h_07_the_aid_starts_anew_and_ends_with_the_round_or_with_leaving():
    table = Round(4, 4, 5, looks=True, memory_aid=True).give(B, m.DrawStock(), m.Throw()).leave(C)
    assert table.known(C) == (None,) * 4
    table.give(B, m.Knock()).give(A, m.DrawStock(), m.Throw(), m.EndTurn())
    assert table.known(A) == (None,) * 4
    assert table.views[A].rows[B] == (1, 2, 3, 4)


def test_h_26_the_pile_shows_its_top_and_its_size_and_by_table_rule_all_of_it():
    for history in (False, True):
        table = Round(5, 4, show_discard_history=history).give(B, m.DrawStock(), m.Place(1), m.EndTurn())
        view = table.give(C, m.DrawStock(), m.Throw(), m.EndTurn()).views[None]
        assert (view.discard_top, view.discard_count) == (4, 3)
        assert view.discard_history == ((3, 1, 4) if history else None)
        table.give(A, m.TakeDiscard(1))
        assert table.views[B].discard_history == ((3, 1, 9) if history else None)


def test_h_29_open_cards_are_in_every_view():
    table = Round("swap", 5, open_outer=True)
    assert table.views[None].rows == ((9, None, None, 6), (1, None, None, 4), (5, None, None, 8))
    table.give(B, m.DrawStock(), m.Throw(), m.EndTurn()).give(C, m.DrawStock(), m.Place(4), m.EndTurn())
    assert table.views[B].rows[C] == (5, None, None, 5)
    assert table.give(A, m.TakeDiscard(1)).views[C].rows[A] == (8, None, None, 6)


def test_hs_56_nothing_that_lies_face_down_is_in_the_view_of_anybody_else():
    """Every card of the round is another number, so that any one of them would be seen in the text of a view."""
    sentinels = iter(range(100_000, 100_100))
    deck = [card if isinstance(card, str) else next(sentinels) for card in stacked([3, "peek", 5, "swap"], 3)]
    position = dealt(deck, 3)
    view = view_of(C, position.events, GAME.empty_view(HatchatulRules(), 3, C))
    commands = [
        (A, m.PeekStart()), (B, m.PeekStart()), (C, m.Skip()), (B, m.DrawStock()), (B, m.UsePeek(2)), (B, m.EndTurn()),
        (C, m.DrawStock()), (C, m.Throw()), (C, m.EndTurn()), (A, m.TakeDiscard(4)), (A, m.EndTurn()),
        (B, m.DrawStock()), (B, m.UseSwap(1, A, 2)), (B, m.EndTurn()),
    ]  # fmt: skip
    for seat, move in commands:
        position = position.when(seat, move)
        view = view_of(C, position.events, view)
        text, state = json.dumps(msgspec.to_builtins(view)), position.state
        hidden: list[Any] = [*state.cards.stock, *(card for row in state.cards.rows for card in row)]
        if seat != C:
            hidden.append(getattr(position.phase, "card", ""))
        assert not [card for card in hidden if isinstance(card, int) and str(card) in text], f"after {move}"


def test_g_06_the_table_serves_a_look_only_as_long_as_the_view_shows_it():
    table = Sitting(GAME, HatchatulRules(), 2, decks=[stacked([3, "peek", 5], 2)]).seat_all()
    caller, tags = Caller(1), ("hatchatul.outer_cards_shown", "hatchatul.slot_shown", "hatchatul.drawn_card_shown")

    def served() -> list[str]:
        moment = now(table.table)
        lines = [line for line in table.headings if line.type in tags and line.to == 1]
        return [line.type for line in lines if hearable(line, caller, moment)]

    table.give("seat:0", m.PeekStart())
    table.give("seat:1", m.PeekStart())
    assert served() == ["hatchatul.outer_cards_shown"], "who looks last must see it too"
    table.give("seat:1", m.DrawStock())
    assert served() == []
    table.give("seat:1", m.UsePeek(2))
    assert served() == ["hatchatul.slot_shown"]
    assert table.view(1).inner.shown[0].slot == 2
    table.give("seat:1", m.EndTurn())
    assert served() == []
    assert table.view(1).inner.shown == ()
    table.give("seat:0", m.DrawStock())
    assert [type_of(entry.event) for entry in table.heard(0, table.table.version)][-1] == "hatchatul.drawn_card_shown"


def test_a_spectator_sees_the_same_table_and_has_no_move():
    table = Round(5, 4)
    spectator, seat = table.views[None], table.views[B]
    assert msgspec.structs.replace(spectator, seat=B) == seat
    assert GAME.options(spectator) == []
    assert GAME.options(seat)[0] == m.DrawStock()
    assert GAME.to_act(spectator) == (B,)


def test_who_leaves_after_the_round_leaves_its_cards_to_be_seen():
    table = Round(4, 5, 6).give(B, m.DrawStock(), m.Throw(), m.Knock())
    for seat in (C, A):
        table.give(seat, m.DrawStock(), m.Throw(), m.EndTurn())
    shown = table.views[A].rows
    assert shown == ((9, 8, 7, 6), (1, 2, 3, 4), (5, 6, 7, 8))
    table.leave(B)
    assert table.views[A].rows == shown
    assert table.views[A].left == (B,)
