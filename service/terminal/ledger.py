"""The tokens of a table at the terminal: balances and a statement, and the proof that they add up."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import rich_click as click
from msgspec import Struct
from rich.table import Table as Grid
from rich.text import Text

from service.terminal import columns
from service.terminal.connection import Connection
from service.terminal.direction import held
from service.terminal.options import EXIT_CODES, Access, access, language, spoken, tables, told
from service.terminal.trouble import Exit, Trouble
from service.terminal.words import Language, clean

PAGE = 500
Json = dict[str, Any]
TITLES: Mapping[Language, tuple[str, ...]] = {
    "en": ("line", "when", "round", "tokens", "balance", "why"),
    "he": ("שורה", "מתי", "סיבוב", "אסימונים", "יתרה", "למה"),
}
ACCOUNTS: Mapping[Language, tuple[str, ...]] = {
    "en": ("account", "transfers", "received", "paid", "balance"),
    "he": ("חשבון", "העברות", "התקבל", "שולם", "יתרה"),
}


NO_TOKENS: Mapping[Language, str] = {
    "en": "No tokens are played for at this table.",
    "he": "בשולחן הזה לא משחקים על אסימונים.",
}


class Proof(Struct, frozen=True):
    """What was checked: so many transfers, and the first thing that does not add up, if any."""

    transfers: int
    fault: str | None


@click.command(epilog=EXIT_CODES)
@click.argument("game", shell_complete=tables)
@click.option("--account", metavar="ACCOUNT", help="bank, bowl, seat:0 …; by default your own seat, if you have one.")
@told
@language
@access
def ledger(*, game: str, account: str | None, access: Access, lang: str, as_json: bool) -> None:
    """Show the tokens of a table: all balances, and one account's statement with the reason of each transfer.

    Every transfer is added up again here, and both balances of each are compared; a ledger that does not add up ends
    with exit code 1. Needs a seat of the table, or a key with the scope audit.
    """
    place = access.place(game)
    connection = access.by(place.seat_token, place.invite) if place else access.holder()
    balance = connection.get(f"/v1/games/{game}/ledger/trial-balance")
    rows = list(_pages(connection, f"/v1/games/{game}/ledger"))
    proof = prove(rows, balance)
    wanted = account or (f"seat:{place.seat}" if place else None)
    statement = _statement(connection, game, wanted) if wanted else None
    if as_json:
        checked = {"transfers": proof.transfers, "adds_up": proof.fault is None, "fault": proof.fault}
        shown = {"game": game, "trial_balance": balance, "statement": statement, "checked": checked}
        sys.stdout.write(json.dumps(shown, ensure_ascii=False) + "\n")
    else:
        _show(balance, statement, proof, spoken(lang))
    if proof.fault:
        he = f"החשבון אינו מסתכם: {held(proof.fault)}."
        raise Trouble(Exit.FAULT, f"The ledger does not add up: {proof.fault}.", he=he, table=game)


def _pages(connection: Connection, path: str) -> Iterable[Json]:
    asked: dict[str, Any] = {"limit": PAGE}
    while True:
        page = connection.get(path, asked)
        yield from page["items"]
        if page["next"] is None:
            return
        asked["after"] = page["next"]


def _statement(connection: Connection, game: str, account: str) -> Json:
    """The whole statement: its first page with the entries of all."""
    path = f"/v1/games/{game}/ledger/accounts/{account}/statement"
    first: Json = connection.get(path, {"limit": 1})
    return {**first, "items": list(_pages(connection, path)), "next": None}


def prove(rows: Iterable[Json], balance: Json) -> Proof:
    """Add every transfer up again: running balances, the closing ones, and that together they are 0."""
    balances: dict[str, int] = {}
    count = 0
    for row in rows:
        if row["seq"] > balance["version"]:
            break
        count += 1
        balances[row["from"]] = balances.get(row["from"], 0) - row["amount"]
        balances[row["to"]] = balances.get(row["to"], 0) + row["amount"]
        if (balances[row["from"]], balances[row["to"]]) != (row["from_balance"], row["to_balance"]):
            return Proof(count, f"transfer {row['index']} of line {row['seq']} has other balances after it")
    for item in balance["items"]:
        if balances.pop(item["account"], 0) != item["balance"]:
            return Proof(count, f"{item['account']} comes to another balance")
    if any(balances.values()):
        return Proof(count, f"the trial balance lacks {', '.join(balances)}")
    if sum(item["balance"] for item in balance["items"]) or balance["sum"]:
        return Proof(count, "the balances are not 0 together")
    return Proof(count, None)


def _show(balance: Json, statement: Json | None, proof: Proof, lang: Language) -> None:
    console = columns.output()
    if not balance["items"]:
        columns.say(console, Text(NO_TOKENS[lang]), lang)
        return
    columns.put(console, _accounts(balance, lang), lang)
    if statement is not None:
        console.print()
        columns.put(console, _entries(statement, lang), lang)
        columns.say(console, _summary(statement, lang), lang)
    mark = ("✓ ", "bold green") if proof.fault is None else ("✗ ", "bold red")
    en = f"{proof.transfers} transfers added up again up to line {balance['version']}: together 0."
    he = f"{proof.transfers} העברות סוכמו שוב עד שורה {balance['version']}: יחד 0."
    if proof.fault is None:
        columns.say(console, Text.assemble(mark, en if lang == "en" else he), lang)


def _accounts(balance: Json, lang: Language) -> Grid:
    grid = columns.grid(ACCOUNTS[lang], lang)
    for item in balance["items"]:
        cells = (clean(item["account"]), *(str(item[name]) for name in ACCOUNTS["en"][1:]))
        grid.add_row(*columns.row(cells, lang))
    return grid


def _entries(statement: Json, lang: Language) -> Grid:
    why = TITLES[lang][-1]
    grid = columns.grid(TITLES[lang], lang, wide=why, left=(why,))
    for item in statement["items"]:
        cells = (
            *(f"{item['seq']}:{item['index']}", item["at"][:19].replace("T", " "), str(item["round"])),
            Text(f"{item['amount']:+d}", "green" if item["amount"] > 0 else "red"),
            *(str(item["balance"]), clean(item["explanation"][lang])),
        )
        grid.add_row(*columns.row(cells, lang))
    return grid


def _summary(statement: Json, lang: Language) -> Text:
    """The account's totals, and what they are shown as in a currency."""
    worth, net = statement["worth"], statement["net"]
    said = {
        "en": f"{statement['account']}: balance {statement['balance']}",
        "he": f"{held(statement['account'])}: יתרה {held(statement['balance'])}",
    }
    if net is not None:
        said["en"] += f", start {statement['start']}, loads {statement['loads']}, net {net:+d}"
        said["he"] += f", פתיחה {statement['start']}, טעינות {statement['loads']}, נטו {held(f'{net:+d}')}"
    if worth is not None and worth["net"] is not None:
        said["en"] += f" = {worth['net']:+d} {clean(worth['currency'])}"
        said["he"] += " = " + held(f"{worth['net']:+d} {clean(worth['currency'])}")
    return Text(said[lang], "bold")
