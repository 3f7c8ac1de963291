"""What is no HTTP never reaches the application: the server in front of it answers with a bare status and hangs up."""

from __future__ import annotations

import socket

import httpx
import pytest

from tests.api.raw import SECONDS_MAX
from tests.api.served import Served

ADDRESS_BYTES_MAX, HEADERS_MAX = 65_534, 100
"""What hyper takes, on which granian is built; neither can be set from outside."""


def told(served: Served, request: bytes) -> tuple[bytes, bytes]:
    """The head and the body of the answer; the server closes the connection after it."""
    with socket.create_connection(("127.0.0.1", served.port), SECONDS_MAX) as connection:
        connection.sendall(request)
        answer = b""
        while some := connection.recv(65_536):
            answer += some
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


def asked(path: bytes = b"/v1/games", *headers: bytes, method: bytes = b"GET") -> bytes:
    return b"\r\n".join([method + b" " + path + b" HTTP/1.1", b"Host: test", *headers, b"", b""])


def address(length: int) -> bytes:
    return b"/v1/" + b"a" * (length - len(b"/v1/"))


def many(number: int) -> list[bytes]:
    """So many headers together with those that every request here has."""
    return [*(b"X-%d: 1" % n for n in range(number - 2)), b"Connection: close"]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (asked(b"/v1/games", b"Content-Length: -1", method=b"POST"), 400),
        (asked(b"/v1/games", b"Content-Length: two", method=b"POST"), 400),
        (asked(b"/v1/games", b"Content-Length: 2", b"Content-Length: 3", method=b"POST"), 400),
        (asked(b"/v1/\xff"), 400),
        (asked(b"/v1/games?game=\xff"), 400),
        (asked(b"/v1/ga mes"), 400),
        (b"GARBAGE\r\n\r\n", 400),
        (asked(address(ADDRESS_BYTES_MAX + 1)), 414),
        (asked(b"/v1/games", *many(HEADERS_MAX + 1)), 431),
    ],
    ids=[
        *("negative length", "length in words", "two lengths", "raw byte in the path", "raw byte in the query"),
        *("space", "garbage", "long address", "many headers"),
    ],
)
def test_what_is_no_http_gets_a_bare_status_and_the_service_goes_on(served: Served, request_: bytes, status: int):
    head, body = told(served, request_)
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"connection: close" in head.lower()
    assert b"content-length: 0" in head.lower()
    assert body == b""
    assert httpx.get(f"{served.base}/health/ready").status_code == 200


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (asked(address(ADDRESS_BYTES_MAX), b"Connection: close"), 404),
        (asked(b"/v1/%ff", b"Connection: close"), 404),
        (asked("/v1/חתחתול".encode(), b"Connection: close"), 404),
        (asked(b"/v1/keys", b"Accept: \xff", b"Connection: close"), 406),
        (asked(b"/v1/keys", *many(HEADERS_MAX)), 401),
    ],
    ids=["long address", "escaped byte", "letters", "raw byte in a header", "many headers"],
)
def test_what_just_is_http_gets_a_problem_document(served: Served, request_: bytes, status: int):
    head, body = told(served, request_)
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"content-type: application/problem+json" in head
    assert b'"status":%d' % status in body
