"""uvicorn's WebSocket protocol, with the ends of two handshakes that it would log as errors."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol; a handshake that is refused, or whose client is gone, ends silently."""

    async def send(self, message: Any) -> None:
        """Send a message, and complete or drop the handshake."""
        await super().send(message)
        if message["type"] == "websocket.accept" and not self.handshake_complete:
            # The client was gone before: uvicorn sends nothing, and would log the next message as
            # an error.
            raise ClientDisconnected
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True
