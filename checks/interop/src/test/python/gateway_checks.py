"""Runs the checks that a gateway passes, whatever the revisions of its client and of the server behind it,
with the arguments of checks.py and the showcase behind the gateway.
"""

import asyncio

import checks
from mcp.client.subscriptions import ResourceUpdated


async def progress_arrives_step_by_step_while_the_call_runs(client, peer):
    steps = []
    enough = asyncio.Event()

    async def progressed(progress, total, message):
        steps.append((progress, total))
        if len(steps) == 3:
            enough.set()

    call = asyncio.create_task(
        client.call_tool(
            "interop_slow", {"ms": 600_000, "steps": 10_000}, progress_callback=progressed
        )
    )
    await enough.wait()
    call.cancel()
    assert steps[:3] == [(1, 10_000), (2, 10_000), (3, 10_000)], steps
    while (await client.call_tool("interop_stats")).structured_content["slow"]["running"] > 0:
        pass  # the checks that count such calls see no other


async def two_questions_follow_one_another(client, peer):
    peer.forms = {"First?": {"a": "one"}, "Second?": {"b": "two"}}
    seen = (await client.call_tool("interop_rounds")).structured_content
    assert (seen["a"], seen["b"]) == ("one", "two")


async def a_stream_carries_what_was_asked_for_only(client, peer):
    uri = "interop://page/011"
    async with client.listen(resource_subscriptions=[uri]) as changes:
        assert changes.honored.resource_subscriptions == [uri]
        await client.call_tool("interop_touch_resource", {"uri": "interop://page/012"})
        await client.call_tool("test_trigger_tool_change")
        await client.call_tool("interop_touch_resource", {"uri": uri})
        updated = await anext(changes)
        assert isinstance(updated, ResourceUpdated) and str(updated.uri) == uri, updated


PASSED = [
    checks.lists_come_in_pages,
    checks.every_kind_of_content_arrives,
    checks.structured_content_passes_its_schema,
    checks.failures_are_results_and_unknown_names_errors,
    progress_arrives_step_by_step_while_the_call_runs,
    checks.a_cancelled_call_stops_at_the_server,
    checks.log_messages_come_as_asked_for,
    checks.a_model_and_the_roots_are_asked_for,
    checks.a_person_is_asked,
    two_questions_follow_one_another,
    checks.a_prompt_asks,
    checks.a_question_that_is_cancelled_fails_the_tool,
    checks.arguments_are_completed,
    checks.many_calls_at_a_time_are_all_answered,
]

PER_REQUEST = [a_stream_carries_what_was_asked_for_only]

checks.main(lambda peer: PASSED + (PER_REQUEST if peer.per_request else []))
