"""A proxy before PostgreSQL that knows its messages, and cuts a connection where a test wants it cut."""

import socket
import threading
from contextlib import suppress

SELECTED = b"SELECT "
COMMAND_COMPLETE = ord("C")
READ_BYTES = 65_536


class Cutting:
    """Listens on loopback for one server. `cut_answer` and `cut_request` arm it for the next statement."""

    def __init__(self, port: int) -> None:
        self._upstream = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0
        self._armed = ""
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_answer(self) -> None:
        """The next statement is done and committed, and then nobody hears of it."""
        self._armed = "answer"

    def cut_request(self) -> None:
        """The next statement never reaches the server."""
        self._armed = "request"

    def _fires(self, what: str) -> bool:
        with self._lock:
            if self._armed != what:
                return False
            self._armed = ""
            self.cuts += 1
            return True

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._upstream))
                for one in (client, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._sockets += [client, server]
                threading.Thread(target=self._requests, args=(client, server), daemon=True).start()
                threading.Thread(target=self._answers, args=(server, client), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while piece := client.recv(READ_BYTES):
                if self._fires("request"):
                    break
                server.sendall(piece)
        hang_up(client, server)

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        buffer = b""
        with suppress(OSError):
            while piece := server.recv(READ_BYTES):
                buffer += piece
                whole, buffer = messages(buffer)
                if any(is_select(message) for message in whole) and self._fires("answer"):
                    break
                client.sendall(b"".join(whole))
        hang_up(client, server)

    def close(self) -> None:
        self._listener.close()
        hang_up(*self._sockets)


def messages(buffer: bytes) -> tuple[list[bytes], bytes]:
    """The whole messages of a buffer, and what is left: each is a type, a length that counts itself, a body."""
    whole = []
    while len(buffer) >= 5 and len(buffer) > (size := int.from_bytes(buffer[1:5])):
        whole.append(buffer[: size + 1])
        buffer = buffer[size + 1 :]
    return whole, buffer


def is_select(message: bytes) -> bool:
    return message[0] == COMMAND_COMPLETE and message[5:].startswith(SELECTED)


def hang_up(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
