"""The few pages for people: where to start, and what each problem means. No page needs anything from elsewhere."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from string import Template

from domain.games import GAMES
from service.problems import CODES

PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; --ink: #1d2a24; --paper: #f6f3ea; --felt: #1f6b4c; --line: #d8d2c2; --code: #ece7d9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e4d8; --paper: #17201c; --felt: #6fcf9f; --line: #34423b; --code: #202c26; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 17px/1.6 Georgia, "Noto Serif Hebrew", serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2.1rem; line-height: 1.15; margin: 0 0 .4rem; color: var(--felt); }
h1 small { color: var(--ink); font-weight: normal; opacity: .65; }
section { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1rem; }
a { color: var(--felt); }
code, pre { font: 14px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--code); border-radius: 6px; }
code { padding: .1em .3em; }
pre { padding: .9rem 1rem; overflow-x: auto; direction: ltr; text-align: left; }
pre code { padding: 0; background: none; }
dt { font-weight: bold; } dd { margin: 0 0 .6rem; }
</style>
</head>
<body><main>
$body
</main></body>
</html>
""")

START = Template("""<h1>Kupa <small lang="he" dir="rtl">קופה</small></h1>
<p>Card and tile games at tables that anybody's program can sit down at. Every move is an event that can be replayed,
every deal can be checked, and the server never tells a seat what it may not know.</p>
<dl>
<dt><a href="/v1/rulebooks">The games</a></dt><dd>$games</dd>
<dt><a href="/v1/games">The tables</a></dt><dd>those that are open to all</dd>
<dt><a href="/v1/openapi.json">The API</a></dt><dd>as an OpenAPI 3.1 document, for people and for code generators</dd>
<dt><a href="/v1/asyncapi.json">The socket of a table</a></dt><dd>as an AsyncAPI 3.0 document: the live feed, moves in,
pings</dd>
<dt><a href="/health/ready">Health</a></dt><dd>whether the service is ready</dd>
</dl>
<section>
<h2>Your first move</h2>
<p>An API key opens tables and sits down. The first start of the service wrote one to <code>admin.key</code> in its data
folder; its owner makes others with <code>POST /v1/keys</code>.</p>
$commands
<p>Put your API key in place of <code>KEY=…</code>, and what the answers say in place of <code>{id}</code>,
<code>{host_token}</code> and <code>{seat_token}</code>; <code>BASE</code> is where this page lies. The last call lists
your legal moves; send one of them back with <code>POST</code> to the same address.</p>
</section>
<section lang="he" dir="rtl">
<h2>המהלך הראשון שלך</h2>
<p>משחקי קלפים ואבנים סביב שולחנות שכל תוכנה יכולה להתיישב בהם. כל מהלך הוא אירוע שאפשר לשחזר, כל חלוקה ניתנת
לבדיקה, והשרת לעולם אינו מגלה למושב מה שאסור לו לדעת.</p>
<p>מפתח API פותח שולחנות ומתיישב בהם. ההפעלה הראשונה של השירות כתבה מפתח לקובץ <code>admin.key</code> בתיקיית הנתונים.
פותחים שולחן, מושיבים בוט, מתיישבים, מתחילים, ומבקשים את רשימת המהלכים: כל מהלך ברשימה מוכן לשליחה.</p>
$commands
<p>במקום <code>KEY=…</code> כותבים את מפתח ה-API, ובמקום <code>{id}</code>, <code>{host_token}</code>,
<code>{seat_token}</code> את מה שהתשובות אומרות. <code>BASE</code> היא הכתובת של הדף הזה.</p>
<p>ראו גם: <a href="/v1/rulebooks">המשחקים והכללים</a>, <a href="/v1/games">השולחנות הפתוחים</a>,
<a href="/v1/openapi.json">מסמך ה-API</a>, <a href="/v1/asyncapi.json">מסמך ה-WebSocket</a>.</p>
</section>""")

COMMANDS = Template("""<pre><code>BASE=$base
KEY=…
JSON='Content-Type: application/json'
curl -s $$BASE/v1/games -H "Authorization: Bearer $$KEY" -H "$$JSON" -d '{"game":"$first","seats":2}'
curl -s $$BASE/v1/games/{id}/seats -H "Authorization: Bearer {host_token}" -H "$$JSON" -d '{"bot":"normal"}'
curl -s $$BASE/v1/games/{id}/seats -H "Authorization: Bearer $$KEY" -H "$$JSON" -d '{"player":"me"}'
curl -s -X POST $$BASE/v1/games/{id}/start -H "Authorization: Bearer {host_token}"
curl -s $$BASE/v1/games/{id}/moves -H "Authorization: Bearer {seat_token}"</code></pre>""")

PROBLEM = Template("""<p><a href="/">Kupa</a></p>
<h1>$title</h1>
<p><code>$status</code> <code>$code</code></p>
<p>$text</p>
<section lang="he" dir="rtl">
<h2>$title_he</h2>
<p>$text_he</p>
</section>""")


@lru_cache(maxsize=1)
def start(base: str) -> str:
    """The start page of the service at `base`, as in http://127.0.0.1:8000."""
    games = ", ".join(f"{game.titles['en']} ({game.titles['he']})" for game in GAMES.values())
    commands = COMMANDS.substitute(base=escape(base), first=next(iter(GAMES)))
    body = START.substitute(games=escape(games), commands=commands)
    return PAGE.substitute(title="Kupa", body=body)


@lru_cache(maxsize=len(CODES))
def problem(code: str) -> str:
    """What a problem code means and what to do about it. Raises KeyError for a code that there is not."""
    page = CODES[code]
    fields = {name: _marked_up(str(getattr(page, name))) for name in page.__struct_fields__}
    return PAGE.substitute(title=f"{page.title}: Kupa", body=PROBLEM.substitute(code=code, **fields))


def _marked_up(text: str) -> str:
    """Text with its `code` marked."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
