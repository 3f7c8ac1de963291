"""The walk-through for writers of clients, run as it stands."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tests.api.server import Server
from tests.terminal.proxy import proxy_to

PAGE = Path(__file__).parents[2] / "api-spec" / "clients.md"
PYTHON_LINES_MAX = 80
CUT_AT_VERSIONS, CUT_SECONDS = (25, 60), 0.6


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run(command: list[str], server: Server, folder: Path, base: str | None = None) -> str:
    """Its standard output; it must end well and say nothing on standard error."""
    environment = {"PATH": os.environ["PATH"], "KUPA": base or server.base, "KEY": server.admin, "LANG": "C.UTF-8"}
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def test_the_curl_walk_through_goes_from_opening_to_replay(server: Server, tmp_path: Path):
    told = run(["bash", "-u", "-c", "".join(blocks("bash"))], server, tmp_path)
    table = re.search(r"^table ([0-9a-f-]{36})$", told, re.MULTILINE)
    assert table is not None, told
    assert '"phase":"swapping"' in told, "the view"
    assert re.search(r"^idempotent-replayed: true", told, re.MULTILINE | re.IGNORECASE), "the retry"
    assert re.search(r"^refused\nS-\d+$", told, re.MULTILINE), "the refusal and its clause"
    assert "had line 7; after a break comes id: 8" in told, "reconnecting"
    assert '"results":[{' in told, "the end"
    resource = server.http.get(f"/v1/games/{table[1]}").json()
    assert resource["status"] == "ended"
    assert f"{resource['version']} lines verified, head {resource['head']}" in told, "the replay"
    assert '"seat":1' in told
    assert '"zones":{' in told
    assert not [*tmp_path.iterdir()], "it leaves nothing behind"


def test_the_python_client_is_short_and_needs_httpx_alone():
    (source,) = blocks("python")
    assert len(source.splitlines()) <= PYTHON_LINES_MAX
    imported = {
        name.name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported - {*sys.stdlib_module_names} == {"httpx"}


def test_the_python_client_plays_a_game_over_a_network_that_comes_and_goes(server: Server, tmp_path: Path):
    (source,) = blocks("python")
    (tmp_path / "client.py").write_text(source, encoding="utf-8")
    before, over = {table["id"] for table in newest(server)}, threading.Event()
    with proxy_to(int(server.base.rpartition(":")[2])) as proxy:

        def cutting() -> None:
            for version in CUT_AT_VERSIONS:
                while not any(table["version"] > version for table in newest(server) if table["id"] not in before):
                    if over.wait(0.005):
                        return
                proxy.cut()
                time.sleep(CUT_SECONDS)
                proxy.mend()

        cutter = threading.Thread(target=cutting)
        cutter.start()
        try:
            told = run([sys.executable, "client.py"], server, tmp_path, proxy.url)
        finally:
            over.set()
            cutter.join()
    assert "reconnecting behind line" in told, "the line was cut in mid-game"
    verified = re.search(r"^(\d+) lines verified; line (\d+) decided it, with \[\d\] to act$", told, re.MULTILINE)
    assert verified is not None, told
    assert int(verified[2]) < int(verified[1])
    assert "'shithead': " in told


def newest(server: Server) -> list[dict[str, Any]]:
    tables: list[dict[str, Any]] = server.http.get("/v1/games?limit=5").json()["items"]
    return tables
