"""Follows the body of an answer as its bytes come over the wire, without standing in the way (no I/O).

It knows where chunks end and whether the body was whole, which clients do not tell.
"""

from __future__ import annotations

from kit.recording.tickets import HttpTicket
from kit.recording.transports.decoding import decoder_of
from kit.recording.transports.failures import torn


class BodyWatch:
    """The body of one answer on its way to the client.

    Attributes:
        is_whole: whether all of it came.
        is_chunked: whether it comes in chunks, whose bounds are recorded.

    Args:
        ticket: gets the pieces, decoded.
        content_encoding: of the answer.
        is_chunked: whether it comes in HTTP's chunks.
        length: bytes to come; None is until the server closes, or chunks.
    """

    def __init__(
        self, ticket: HttpTicket, content_encoding: str, *, is_chunked: bool, length: int | None
    ) -> None:
        self._ticket = ticket
        self._decoder = decoder_of(content_encoding)
        self.is_chunked = is_chunked
        self._length = length
        self._received = 0
        self._chunks = ChunkReader() if is_chunked else None
        self._failure: str | None = None
        self.is_whole = False
        if not is_chunked:
            ticket.has_pieces = False
            self._see_whether_whole()

    def feed(self, data: bytes) -> None:
        """Bytes of the wire, the framing of chunks included."""
        if self.is_whole or not data:
            return
        self._failure = None
        self._received += len(data)
        if self._chunks is None:
            self._ticket.chunk(self._decoder.decode(data))
            self._see_whether_whole()
            return
        for piece in self._chunks.pieces(data):
            self._ticket.chunk(self._decoder.decode(piece))
        if self._chunks.is_at_end:
            self._finish()

    def eof(self) -> None:
        """The server closed the connection."""
        if self.is_whole:
            return
        if self._chunks is None and self._length is None:
            self._finish()
            return
        missing = None if self._length is None else self._length - self._received
        self._failure = self._failure or torn(self._received, missing)

    def failed(self, failure: str) -> None:
        """Reading went wrong, as `ExceptionName: text`."""
        if not self.is_whole:
            self._failure = self._failure or failure

    def end(self) -> None:
        """The client is done with it, whether it read all or not."""
        if self._chunks is not None and not self.is_whole:
            # Part of a chunk: the client may have handed it out already.
            self._ticket.chunk(self._decoder.decode(self._chunks.rest()))
        self._ticket.end(self._failure or self._decoder.failure or "Abandoned")

    def _see_whether_whole(self) -> None:
        if self._length is not None and self._received >= self._length:
            self._finish()

    def _finish(self) -> None:
        self.is_whole = True
        self._ticket.chunk(self._decoder.flush())
        self._ticket.whole(self._decoder.failure)


class ChunkReader:
    """Takes HTTP's chunks out of their framing.

    Attributes:
        is_at_end: whether the last one came, with its trailer.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._left: int | None = None
        self.is_at_end = False
        self._is_in_trailer = False

    def pieces(self, data: bytes) -> list[bytes]:
        """The chunks that are complete with these bytes."""
        self._buffer += data
        found: list[bytes] = []
        while not self.is_at_end:
            if self._left is None:
                line = self._line()
                if line is None:
                    break
                self._read_line(line)
                continue
            if len(self._buffer) < self._left + 2:
                break
            found.append(bytes(self._buffer[: self._left]))
            del self._buffer[: self._left + 2]
            self._left = None
        return found

    def rest(self) -> bytes:
        """What came of a chunk that never came whole."""
        if self._left is None:
            return b""
        return bytes(self._buffer[: self._left])

    def _line(self) -> bytes | None:
        end = self._buffer.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._buffer[:end]).strip()
        del self._buffer[: end + 1]
        return line

    def _read_line(self, line: bytes) -> None:
        if self._is_in_trailer:
            self.is_at_end = not line
            return
        try:
            size = int(line.partition(b";")[0], 16)
        except ValueError:
            # Nonsense: the client complains, and what comes from here on is no body.
            size = 0
        if size > 0:
            self._left = size
        else:
            self._is_in_trailer = True
