"""The judgement over simulated networks: fairer than the order of arrival, and no place to gain by lying."""

import pytest

from domain.totem.arbitration import ALLOWANCE_MAX_MS, JITTER_MS, QUOTA_MAX_MS, QUOTA_START_MS, QUOTA_STEP_MS
from tests.bench.fairness import DEAD_HEAT_MS, NETWORKS, Line, measure

ROUNDS = 1_500
UNEQUAL = [name for name in NETWORKS if name.startswith(("near and far", "jitter", "2 %", "one liar", "the same"))]
LIED_TO = [name for name in NETWORKS if name.startswith("one room, a liar") or "fingers" in name]
EVEN_SHARE = 25.0
"""Percent: four seats react alike."""


@pytest.mark.parametrize("name", UNEQUAL)
def test_where_seats_are_unequally_far_the_truly_fastest_wins_far_more_often_than_by_arrival(name):
    share = measure(NETWORKS[name], ROUNDS)
    assert share.judged > share.arrived + 15
    assert share.last_seat > 5 * max(share.last_seat_arrived, 0.5)


@pytest.mark.parametrize("name", [name for name in NETWORKS if name not in UNEQUAL + LIED_TO])
def test_where_nothing_is_to_be_gained_nothing_is_spoilt(name):
    share = measure(NETWORKS[name], ROUNDS)
    assert share.judged > share.arrived - 5


def test_a_liar_gets_no_more_than_his_share_of_a_table_of_equals():
    honest = measure(NETWORKS["near and far (10 to 120 ms)"], ROUNDS)
    lying = measure(NETWORKS["one liar (claims 0 ms)"], ROUNDS)
    assert honest.last_seat < lying.last_seat < EVEN_SHARE + 2


def test_a_liar_who_is_near_gains_the_jitter_that_everybody_is_given():
    near = Line(2, 1)
    honest, lying = measure((near,) * 4, ROUNDS), measure((near, near, near, near._replace(lies=True)), ROUNDS)
    assert honest.last_seat == pytest.approx(EVEN_SHARE, abs=4)
    assert lying.last_seat < 2 * EVEN_SHARE


@pytest.mark.parametrize("lines", NETWORKS.values(), ids=NETWORKS)
def test_nobody_gains_more_than_a_full_quota_whatever_he_claims_and_however_late_his_pongs_come(lines):
    assert measure(lines, ROUNDS).gained_most_ms <= min(ALLOWANCE_MAX_MS, QUOTA_MAX_MS)


def test_without_a_socket_a_lie_gains_the_jitter_that_everybody_is_given():
    deaf = measure(NETWORKS["one room, a liar without a socket"], ROUNDS)
    assert 0 < deaf.gained_ms <= deaf.gained_most_ms <= JITTER_MS


@pytest.mark.parametrize("reveals", [1, 3])
def test_late_pongs_gain_a_full_quota_once_and_what_each_reveal_adds_to_it_after_that(reveals: int):
    late = measure(NETWORKS["one room, a liar whose pongs come late"], ROUNDS, reveals=reveals)
    assert late.gained_ms <= QUOTA_STEP_MS * reveals + QUOTA_START_MS / ROUNDS
    assert late.gained_ms > QUOTA_STEP_MS * reveals - JITTER_MS, "and no less: it is measured, not assumed"


@pytest.mark.parametrize("reveals", [6, 7])
def test_fingers_add_a_dead_heat_to_a_lie_but_no_decision_waits_longer_than_a_full_quota_for_it(reveals: int):
    deaf = measure(NETWORKS["one far, no socket and five fingers"], 4 * ROUNDS, reveals=reveals)
    assert JITTER_MS < deaf.behind_most_ms < JITTER_MS + DEAD_HEAT_MS
    late = measure(NETWORKS["one room, late pongs and five fingers"], 4 * ROUNDS, reveals=reveals)
    assert QUOTA_MAX_MS - DEAD_HEAT_MS < late.behind_most_ms < QUOTA_MAX_MS


def test_nobody_is_waited_for_longer_than_the_cap():
    for lines in NETWORKS.values():
        assert measure(lines, 200).wait_ms <= min(ALLOWANCE_MAX_MS, QUOTA_MAX_MS)
