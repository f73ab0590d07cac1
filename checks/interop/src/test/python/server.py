"""A server of the Python SDK, which speaks revision 2026-07-28 and older ones:

    python server.py stdio|http

Over HTTP it prints "listening on URL" and serves until it is killed.
"""

import socket
import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from pydantic import BaseModel

server = MCPServer("python")
calls = {"cancelled": 0}


class Sum(BaseModel):
    sum: int


def ask(message: str) -> ElicitRequest:
    schema = {"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


@server.tool()
async def echo(text: str) -> str:
    """Echoes."""
    return text


@server.tool()
async def sum(a: int, b: int) -> Sum:
    """Adds."""
    return Sum(sum=a + b)


@server.tool()
async def book(town: str, ctx: Context) -> str | InputRequiredResult:
    """Asks twice, one after the other; the state has the first answer."""
    answers = ctx.input_responses or {}
    if "first" not in answers and "second" not in answers:
        return InputRequiredResult(input_requests={"first": ask(f"To {town}?")})
    if "first" in answers:
        first = answers["first"].content["sure"]
        return InputRequiredResult(
            input_requests={"second": ask("Today?")}, request_state=f"first={first}"
        )
    return f"{town} {ctx.request_state} {answers['second'].content['sure']}"


@server.tool()
async def steps(ctx: Context) -> str:
    """Reports progress."""
    for step in range(1, 4):
        await ctx.report_progress(step, 3)
    return "done"


@server.tool()
async def wait(ctx: Context) -> str:
    """Reports that it waits, and waits until it is cancelled."""
    import anyio

    try:
        await ctx.report_progress(1)
        await anyio.sleep_forever()
    finally:
        calls["cancelled"] += 1


@server.tool()
async def cancelled() -> str:
    """How many calls were cancelled."""
    return str(calls["cancelled"])


@server.tool()
async def touch(ctx: Context) -> str:
    """Changes the note."""
    await ctx.notify_resource_updated("note://1")
    return "touched"


@server.resource("note://1", mime_type="text/plain")
def note() -> str:
    return "a note"


@server.prompt()
def praise(what: str) -> str:
    return f"Praise {what}"


if sys.argv[1] == "stdio":
    server.run("stdio")
else:
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    print(f"listening on http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
    app = server.streamable_http_app()
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
