"""What can be asked of tables, in one place: each call checks who asks and hands a plan to the commander."""

from __future__ import annotations

from domain.game import Move, Refused
from domain.games import GAMES
from domain.table.decide import decide
from domain.table.moves import CallLastRound, Create, Leave, Sit, Start, Void
from domain.table.opening import check_decks, open_table
from domain.table.rounds import creator_of
from domain.table.state import Ended, Open, Table, Voided
from service.callers import Host, Key, SeatHolder
from service.problems import Problem
from service.store.rows import PlayerRow, SeatRow
from service.tables.answers import Answer, Idempotency, OpenRequest, SitRequest
from service.tables.commands import Order
from service.tables.live import Live
from service.tables.playing import Playing, at_table, audience, by, caller_of, known
from service.tables.reads import may_know, no_conflict
from service.tables.writing import Plan, with_commit

CREATED, OK = 201, 200


class Tables(Playing):
    """Every table of this service: opening, sitting, the host's buttons (here), playing and reading."""

    async def open(self, key: Key, request: OpenRequest, idem: Idempotency | None) -> Answer:
        """Open a table; its round 1 is committed in the same transaction. Raises RulesInvalid, DeckInvalid."""
        game, table_id, at = GAMES[request.game], self.dealer.new_id(), self.now()
        sandbox = request.sandbox
        create = Create(request.game, request.rules, request.seats, request.visibility, sandbox is not None)
        step = open_table(table_id, create, at, GAMES)
        if sandbox:
            check_decks(game, request.rules, request.seats, sandbox.decks)
        step = with_commit(step, self.dealer, sandbox)
        token, private = self._token_id(), request.visibility == "private"
        plan = Plan(
            status=CREATED,
            entries=step.entries,
            table=step.table,
            secrets={"host_token": token} | ({"invite": table_id} if private else {}),
            tokens=(self.mint.row("host", token, key.id, at, game=table_id),),
            location=f"/v1/games/{table_id}",
        )
        invite = self.mint.digest(self.mint.invite(table_id)) if private else None
        order = Order(caller=f"key:{key.id}", idem=idem)
        return await self.create(order, plan, key.id, request.name, invite)

    async def sit(self, game: str, who: Key | Host, request: SitRequest, idem: Idempotency | None) -> Answer:
        """Take a seat, or (the host) seat a bot."""
        await self._may_sit(game, who, request)
        owner = who.key if isinstance(who, Host) else who.id

        async def plan(live: Live, at: str) -> Plan:
            table = known(live)
            seat = _seat_wanted(table, request)
            player, rows = await self._player(owner, request)
            by = "host" if request.bot else f"seat:{seat}"
            step = decide(table, by, Sit(seat, player, request.bot, request.seed), at)
            token = None if request.bot else self._token_id()
            host = isinstance(who, Host) and not request.bot
            sitter = SeatRow(game, seat, owner, player, token, step.table.version, request.bot, host=host)
            return Plan(
                status=CREATED,
                entries=step.entries,
                table=step.table,
                extra={"seat": seat},
                secrets={"seat_token": token} if token else {},
                tokens=(self.mint.row("seat", token, owner, at, game=game, seat=seat),) if token else (),
                seats=(sitter,),
                players=rows,
            )

        return await self.run(game, Order(caller=caller_of(who), idem=idem), plan)

    async def _may_sit(self, game: str, who: Key | Host, request: SitRequest) -> None:
        live = await self.registry.get(game)
        if isinstance(who, Host):
            if who.game != game:
                raise Problem("wrong-role", "This host token is for another table.")
            return
        may_know(live, who, request.invite, self.mint)
        if "play" not in who.scopes:
            raise Problem("scope-missing", "This key may not play.")
        if request.bot:
            raise Problem("wrong-role", "Only the host seats bots.")

    async def _player(self, owner: str, request: SitRequest) -> tuple[str, tuple[PlayerRow, ...]]:
        """The opaque id of a labelled player, made at first use; a guest and a bot are new each time (G-15)."""
        if request.player is None or request.bot:
            return self.dealer.new_id(), ()
        found = await self.store.player(owner, request.player)
        if found:
            return found, ()
        player = self.dealer.new_id()
        return player, (PlayerRow(owner, request.player, player),)

    async def renew_token(self, game: str, who: Key, seat: int, idem: Idempotency | None) -> Answer:
        """A new seat token for the key that sat; the old one is dead."""

        async def plan(live: Live, at: str) -> Plan:
            if self.registry.several:  # a renewal writes no line by which others could tell
                live.take_seats(await self.store.seats(game))
            row = live.seats.get(seat)
            if row is None or row.owner != who.id or row.token is None:
                raise Problem("not-found", "You hold no such seat at this table.")
            token = self._token_id()
            return Plan(
                status=CREATED,
                table=known(live),
                extra={"seat": seat},
                secrets={"seat_token": token},
                tokens=(self.mint.row("seat", token, who.id, at, game=game, seat=seat),),
                revoked=(row.token,),
                seats=(SeatRow(game, seat, who.id, row.player, token, row.since, host=row.host),),
            )

        return await self.run(game, Order(caller=f"key:{who.id}", idem=idem), plan)

    async def leave(self, game: str, who: SeatHolder | Host, seat: int, idem: Idempotency | None) -> Answer:
        """Leave one's seat; the host frees a seat before the start. A freed seat's token dies."""
        at_table(game, who)
        if isinstance(who, SeatHolder) and who.seat != seat:
            raise Problem("wrong-role", "This token is for another seat.")
        await self.desk.holding.decided(game)

        async def plan(live: Live, at: str) -> Plan:
            table = known(live)
            freed = isinstance(table.phase, Open)
            if isinstance(who, Host) and not freed:
                raise Refused("G-09", "after the start only the seat itself leaves")
            made = await self.whole(live, by(who), Leave(seat), at)
            gone = live.seats.get(seat) if freed else None
            if gone is not None:
                until = made.table.version
                made.revoked = (gone.token,) if gone.token else ()
                made.seats = (SeatRow(game, seat, gone.owner, gone.player, None, gone.since, gone.bot, until),)
            return made

        order = Order(caller=caller_of(who), audience=audience(game, who), idem=idem)
        return await self.desk.holding.patiently(game, order, plan)

    async def host(self, game: str, who: Host | SeatHolder | Key, move: Move, idem: Idempotency | None) -> Answer:
        """The host's buttons: start, last round, void. After the start `void` is the referee's."""
        await self._may_press(game, who, move)

        async def plan(live: Live, at: str) -> Plan:
            table = known(live)
            if isinstance(who, SeatHolder) and who.seat != _creators_seat(live):
                raise Problem("wrong-role", "Only the creator's seat calls the last round.")
            if isinstance(move, CallLastRound) and not isinstance(table.phase, Ended | Voided) and table.called_at:
                return Plan(table=table, repeats=table.called_at)
            asked = Start(_hosts_seat(live)) if isinstance(move, Start) else move
            return await self.whole(live, by(who), asked, at)

        order = Order(caller=caller_of(who), audience=audience(game, who), idem=idem)
        return await self.desk.holding.patiently(game, order, plan)

    async def _may_press(self, game: str, who: Host | SeatHolder | Key, move: Move) -> None:
        live = await self.registry.get(game)
        if not isinstance(who, Key):
            at_table(game, who)
            return
        may_know(live, who, None, self.mint)
        if not isinstance(move, Void):
            raise Problem("wrong-role", "Only the host's token does this.")
        if "referee" not in who.scopes:
            raise Problem("scope-missing", "This key is no referee.")
        no_conflict(live, who)

    def _token_id(self) -> str:
        return self.dealer.new_id().replace("-", "")


def _hosts_seat(live: Live) -> int | None:
    """The lowest seat that was taken with the host's token (K-04)."""
    return min((row.seat for row in live.seats.values() if row.host), default=None)


def _creators_seat(live: Live) -> int:
    """Whose seat may call the last round (K-75)."""
    table, hosts = known(live), _hosts_seat(live)
    return hosts if hosts is not None and isinstance(table.phase, Open) else creator_of(table)


def _seat_wanted(table: Table, request: SitRequest) -> int:
    """The seat asked for, or the lowest free one."""
    if request.seat is not None:
        return request.seat
    free = [n for n, seat in enumerate(table.seats) if seat is None]
    if not free and isinstance(table.phase, Open):
        raise Problem("table-full", "Every seat at this table is taken.", version=table.version)
    return free[0] if free else 0
