"""Runs the checks of the Python SDK against the showcase server, one JSON line for each:

    python checks.py MODE http URL
    python checks.py MODE stdio COMMAND ARGUMENT...

MODE is that of its client: `auto`, which asks the server for its revisions, `legacy` or `2026-07-28`.
"""

import asyncio
import json
import re
import sys
import time
import traceback
import warnings

import mcp.client.session
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import InputRequiredRoundsExceededError
from mcp.client.subscriptions import (
    ListenNotSupportedError,
    PromptsListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp_types import (
    CreateMessageResult,
    ElicitResult,
    ListRootsResult,
    PromptReference,
    Root,
    TextContent,
)

WAIT = 150
# How long the SDK waits for the revisions of a server, which may still be starting, before it falls back to a handshake.
# It is 10 s otherwise, which a busy machine needs to start a JVM.
mcp.client.session.DISCOVER_TIMEOUT_SECONDS = WAIT
REVISION = "2026-07-28"
RESULT = "test_input_required_result_"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"


class Peer:
    """The client under test, and its answers to questions."""

    def __init__(self, mode, transport, target):
        self.mode = mode
        self.transport = transport
        self.target = target
        self.forms = {}
        self.log = []

    @property
    def per_request(self):
        return self.mode != "legacy"

    def server(self):
        if self.transport == "http":
            return self.target[0]
        return StdioServerParameters(command=self.target[0], args=self.target[1:])

    def connect(self, **settings):
        return Client(self.server(), mode=self.mode, **settings)

    def connect_with_answers(self, **settings):
        return self.connect(
            elicitation_callback=self.elicit,
            sampling_callback=self.sample,
            list_roots_callback=self.roots,
            logging_callback=self.logged,
            **settings,
        )

    async def elicit(self, context, params):
        answer = self.forms.get(params.message)
        if answer is None:
            return ElicitResult(action="cancel")
        return ElicitResult(action="accept", content=answer)

    async def sample(self, context, params):
        text = params.messages[0].content.text
        return CreateMessageResult(
            role="assistant",
            model="a-model",
            content=TextContent(text=f"{text} in {params.max_tokens} tokens"),
        )

    async def roots(self, context):
        return ListRootsResult(roots=[Root(uri="file:///home/a"), Root(uri="file:///home/b")])

    async def logged(self, params):
        self.log.append(params.data)


def text_of(result):
    return "\n".join(block.text for block in result.content)


async def refused(code, call):
    """The error that a call is answered with, which must have this code."""
    try:
        await call
    except MCPError as error:
        assert error.code == code, error
        return error
    raise AssertionError(f"expected the error {code}")


async def the_server_is_found(client, peer):
    assert client.protocol_version == (REVISION if peer.per_request else "2025-11-25")
    if peer.mode == REVISION:
        return  # a pinned client does not ask the server who it is
    assert client.server_info.name == "fairlead-showcase"
    assert client.server_capabilities.tools.list_changed
    assert client.server_capabilities.resources.subscribe
    assert "interop_" in client.instructions


async def all_pages(items, fetch):
    """The items of all pages of a list."""
    found = []
    cursor = None
    while True:
        page = await fetch(cursor=cursor)
        found += getattr(page, items)
        cursor = page.next_cursor
        if cursor is None:
            return found


async def lists_come_in_pages(client, peer):
    tools = {tool.name: tool for tool in await all_pages("tools", client.list_tools)}
    assert tools["interop_structured"].input_schema["required"] == ["city"]
    uris = [str(found.uri) for found in await all_pages("resources", client.list_resources)]
    assert "interop://page/059" in uris and len(set(uris)) == len(uris)
    templates = await client.list_resource_templates()
    assert len(templates.resource_templates) == 2
    prompts = await client.list_prompts()
    assert any(prompt.name == "interop_prompt" for prompt in prompts.prompts)


async def every_kind_of_content_arrives(client, peer):
    for name, kinds in {
        "test_simple_text": ["text"],
        "test_image_content": ["image"],
        "test_audio_content": ["audio"],
        "test_embedded_resource": ["resource"],
        "test_multiple_content_types": ["text", "image", "resource"],
    }.items():
        assert [block.type for block in (await client.call_tool(name)).content] == kinds


async def structured_content_passes_its_schema(client, peer):
    result = await client.call_tool("interop_structured", {"city": "Oslo"})
    assert result.structured_content == {
        "city": "Oslo",
        "temperature": 21.5,
        "conditions": "sunny",
    }


async def failures_are_results_and_unknown_names_errors(client, peer):
    failed = await client.call_tool("test_error_handling")
    assert failed.is_error and "intentionally" in text_of(failed)
    assert (await client.call_tool("interop_slow", {"ms": "long"})).is_error
    await refused(-32602, client.call_tool("no_such_tool"))
    await refused(-32602, client.get_prompt("no_such_prompt"))
    unknown = -32602 if peer.per_request else -32002
    await refused(unknown, client.read_resource("interop://nowhere"))


async def progress_arrives_step_by_step(client, peer):
    steps = []

    async def progressed(progress, total, message):
        steps.append((progress, total))

    await client.call_tool(
        "interop_slow", {"ms": 200, "steps": 4}, progress_callback=progressed
    )
    assert steps[:3] == [(1, 4), (2, 4), (3, 4)], steps


async def a_cancelled_call_stops_at_the_server(client, peer):
    async def stats():
        return (await client.call_tool("interop_stats")).structured_content["slow"]

    before = await stats()
    begun = asyncio.Event()

    async def progressed(progress, total, message):
        begun.set()

    call = asyncio.create_task(
        client.call_tool(
            "interop_slow", {"ms": 600_000, "steps": 10_000}, progress_callback=progressed
        )
    )
    await begun.wait()
    call.cancel()
    while (after := await stats())["running"] > 0:
        pass
    assert after["cancelled"] == before["cancelled"] + 1


async def log_messages_come_as_asked_for(client, peer):
    peer.log.clear()
    if peer.per_request:
        await client.call_tool("test_tool_with_logging", meta={LOG_LEVEL: "debug"})
        await client.call_tool("test_tool_with_logging", meta={LOG_LEVEL: "error"})
        await client.call_tool("test_tool_with_logging")
    else:
        await client.set_logging_level("debug")
        await client.call_tool("test_tool_with_logging")
        await client.set_logging_level("error")
        await client.call_tool("test_tool_with_logging")
    assert peer.log == [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ]


async def a_model_and_the_roots_are_asked_for(client, peer):
    sampled = await client.call_tool("test_sampling", {"prompt": "Sing"})
    assert text_of(sampled) == "LLM response: Sing in 100 tokens"
    roots = await client.call_tool("interop_roots")
    assert json.loads(text_of(roots)) == ["file:///home/a", "file:///home/b"]


async def a_person_is_asked(client, peer):
    content = {"username": "ada", "email": "ada@example.com"}
    peer.forms = {"Who?": content}
    result = await client.call_tool("test_elicitation", {"message": "Who?"})
    assert json.dumps(content, separators=(",", ":")) in text_of(result)
    peer.forms = {}
    assert '"action":"cancel"' in text_of(
        await client.call_tool("test_elicitation", {"message": "Who?"})
    )


async def several_questions_come_at_once(client, peer):
    peer.forms = {"What is your name?": {"name": "Ada"}}
    result = await client.call_tool(f"{RESULT}multiple_inputs")
    assert text_of(result) == "Write a greeting in 50 tokens Ada, you have roots: 2"
    if peer.per_request:
        round = await client.session.call_tool(
            f"{RESULT}multiple_inputs", allow_input_required=True
        )
        assert sorted(round.input_requests) == ["client_roots", "greeting", "user_name"]


async def questions_follow_one_another(client, peer):
    peer.forms = {"First?": {"a": "one"}, "Second?": {"b": "two"}}
    for tool, bodies in {"interop_rounds": 3 if peer.per_request else 1, "interop_held": 1}.items():
        seen = (await client.call_tool(tool)).structured_content
        assert (seen["a"], seen["b"], seen["bodies"], seen["effects"]) == ("one", "two", bodies, 1)


async def a_prompt_asks(client, peer):
    peer.forms = {"Which context?": {"context": "tea"}}
    prompt = await client.get_prompt(f"{RESULT}prompt")
    assert prompt.messages[0].content.text == "Context: tea"


async def a_question_that_is_cancelled_fails_the_tool(client, peer):
    peer.forms = {}
    assert (await client.call_tool(f"{RESULT}elicitation")).is_error


async def arguments_are_completed(client, peer):
    completed = await client.complete(
        PromptReference(name="interop_prompt"), {"name": "lang", "value": "java"}
    )
    assert completed.completion.values == ["java", "javascript"]


async def many_calls_at_a_time_are_all_answered(client, peer):
    results = await asyncio.gather(
        *(client.call_tool("interop_echo", {"text": f"text {n}"}) for n in range(64))
    )
    assert [text_of(result) for result in results] == [f"text {n}" for n in range(64)]


async def output_of_a_tool_may_be_an_array(client, peer):
    result = await client.call_tool("interop_list", {"n": 3})
    numbers = [1, 2, 3]
    assert result.structured_content == (numbers if peer.per_request else {"result": numbers})


HANDSHAKE = [
    the_server_is_found,
    lists_come_in_pages,
    every_kind_of_content_arrives,
    structured_content_passes_its_schema,
    output_of_a_tool_may_be_an_array,
    failures_are_results_and_unknown_names_errors,
    progress_arrives_step_by_step,
    a_cancelled_call_stops_at_the_server,
    log_messages_come_as_asked_for,
    a_model_and_the_roots_are_asked_for,
    a_person_is_asked,
    several_questions_come_at_once,
    questions_follow_one_another,
    a_prompt_asks,
    a_question_that_is_cancelled_fails_the_tool,
    arguments_are_completed,
    many_calls_at_a_time_are_all_answered,
]


async def an_argument_is_repeated_in_a_header(client, peer):
    await client.list_tools()
    for region in ["eu-west", "Süd 東", " padded ", "=?base64?x?="]:
        result = await client.call_tool("test_x_mcp_header", {"region": region})
        assert text_of(result) == f"Region: {region}"


async def a_state_that_was_changed_is_refused(client, peer):
    name = f"{RESULT}tampered_state"
    first = await client.session.call_tool(name, allow_input_required=True)
    answers = {"confirm": ElicitResult(action="accept", content={"ok": True})}

    def retry(state, tool=name):
        return client.session.call_tool(
            tool, input_responses=answers, request_state=state, allow_input_required=True
        )

    state = first.request_state
    middle = len(state) // 2
    changed = state[:middle] + ("B" if state[middle] == "A" else "A") + state[middle + 1 :]
    error = await refused(-32602, retry(changed))
    assert error.data == {"reason": "invalid_request_state"}
    await refused(-32602, retry(state + "A"))
    await refused(-32602, retry(state, f"{RESULT}request_state"))
    assert text_of(await retry(state)) == "confirmed true"


async def questions_without_an_end_are_an_error(client, peer):
    class SameAnswer(dict):
        def get(self, message):
            return {"ok": True}

    peer.forms = SameAnswer()
    try:
        await client.call_tool("interop_ask_now")
        raise AssertionError("expected an error")
    except InputRequiredRoundsExceededError:
        pass
    async with peer.connect_with_answers(input_required_max_rounds=20) as patient:
        await refused(-32603, patient.call_tool("interop_ask_now"))
    await refused(-32603, client.call_tool("interop_swallow"))


async def a_capability_that_the_client_lacks_is_an_error(client, peer):
    async with peer.connect() as silent:
        error = await refused(-32021, silent.call_tool("test_missing_capability"))
        assert "sampling" in error.data["requiredCapabilities"]


async def results_are_kept_as_long_as_the_server_allows(client, peer):
    async def read(cache_mode="use"):
        result = await client.read_resource("interop://cached", cache_mode=cache_mode)
        return int(result.contents[0].text)

    first = await read("refresh")
    assert await read() == first
    assert await read("refresh") == first + 1


async def changes_come_on_a_stream(client, peer):
    uri = "interop://page/011"
    async with client.listen(
        tools_list_changed=True, prompts_list_changed=True, resource_subscriptions=[uri]
    ) as changes:
        assert changes.honored.tools_list_changed and changes.honored.prompts_list_changed
        assert changes.honored.resource_subscriptions == [uri]
        await client.call_tool("test_trigger_tool_change")
        assert isinstance(await anext(changes), ToolsListChanged)
        await client.call_tool("interop_touch_resource", {"uri": "interop://page/012"})
        await client.call_tool("interop_touch_resource", {"uri": uri})
        updated = await anext(changes)
        assert isinstance(updated, ResourceUpdated) and str(updated.uri) == uri, updated
        await client.call_tool("test_trigger_prompt_change")
        assert isinstance(await anext(changes), PromptsListChanged)


PER_REQUEST = [
    an_argument_is_repeated_in_a_header,
    a_state_that_was_changed_is_refused,
    questions_without_an_end_are_an_error,
    a_capability_that_the_client_lacks_is_an_error,
    results_are_kept_as_long_as_the_server_allows,
    changes_come_on_a_stream,
]


async def a_stream_of_changes_needs_revision_2026_07_28(client, peer):
    try:
        async with client.listen(tools_list_changed=True):
            raise AssertionError("expected an error")
    except ListenNotSupportedError:
        pass


async def run(checks_of):
    """Runs the checks that a peer is to pass."""
    mode, transport, *target = sys.argv[1:]
    peer = Peer(mode, transport, target)
    async with peer.connect_with_answers() as client:
        for check in checks_of(peer):
            start = time.monotonic()
            line = {"check": re.sub("_", " ", check.__name__)}
            try:
                async with asyncio.timeout(WAIT):
                    await check(client, peer)
            except Exception:
                line["error"] = traceback.format_exc()
            line["ms"] = round((time.monotonic() - start) * 1000)
            print(json.dumps(line), flush=True)


def main(checks_of):
    warnings.simplefilter("ignore")  # logging, roots and sampling are deprecated
    asyncio.run(run(checks_of))


if __name__ == "__main__":
    main(
        lambda peer: HANDSHAKE
        + (PER_REQUEST if peer.per_request else [a_stream_of_changes_needs_revision_2026_07_28])
    )
