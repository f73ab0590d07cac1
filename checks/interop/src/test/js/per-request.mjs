// What the client of the second generation of the TypeScript SDK does with the showcase server under
// revision 2026-07-28: the common checks that do not depend on a session, and those of this revision.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  Client,
  LOG_LEVEL_META_KEY,
  MissingRequiredClientCapabilityError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import * as common from './checks.mjs';
import { transportTo } from './sdk2.mjs';

const { textOf } = common;
const WAIT = { signal: AbortSignal.timeout(150_000) };
const REVISION = '2026-07-28';
const RESULT = 'test_input_required_result_';

/** The common checks whose tools behave alike in every revision. */
const SHARED = [
  'tools are listed with their schemas',
  'every kind of content arrives',
  'structured content passes the check against its schema',
  'a long text with any character comes back unchanged',
  'failures of a tool are results, an unknown tool is an error',
  'progress arrives step by step',
  'a cancelled call stops at the server',
  'a model is asked',
  'a person is asked by a form',
  'forms carry defaults and choices of every form',
  'resources come in pages',
  'resources are read',
  'prompts are listed and got',
  'arguments are completed',
  '64 calls at a time are all answered',
];

const shared = Object.fromEntries(
  SHARED.map((name) => {
    assert.ok(common.checks[name], `unknown check: ${name}`);
    return [name, common.checks[name]];
  }),
);

/** Another client of the same server; `settings` are options of the client, `http` of its transport. */
async function another({ target }, settings, http) {
  const client = new Client(
    { name: 'another', version: '1' },
    { versionNegotiation: { mode: { pin: REVISION } }, ...settings },
  );
  await client.connect(transportTo(target, http));
  return client;
}

/** Answers forms by their message. */
const answering = (answers) => ({ message }) => {
  assert.ok(message in answers, `unexpected question: ${message}`);
  return { action: 'accept', content: answers[message] };
};

const firstRound = (peer, params) =>
  peer.callTool(params, { allowInputRequired: true });

export const checks = {
  'the server is discovered': async ({ peer }) => {
    assert.equal(peer.client.getProtocolEra(), 'modern');
    assert.equal(peer.client.getNegotiatedProtocolVersion(), REVISION);
    const discovered = await peer.client.discover();
    assert.ok(discovered.supportedVersions.includes(REVISION));
    assert.equal(peer.client.getServerVersion().name, 'fairlead-showcase');
    assert.match(peer.client.getInstructions(), /interop_/);
    const { tools, resources, prompts, logging, completions, extensions } =
      peer.client.getServerCapabilities();
    assert.ok(tools.listChanged && resources.listChanged && prompts.listChanged);
    assert.ok(resources.subscribe && logging && completions);
    assert.deepEqual(extensions['io.modelcontextprotocol/tasks'], {});
  },

  ...shared,

  'output of a tool may be an array': async ({ peer }) => {
    const result = await peer.callTool({ name: 'interop_list', arguments: { n: 3 } });
    assert.deepEqual(result.structuredContent, [1, 2, 3]);
  },

  'an argument is repeated in a header': async ({ peer }) => {
    await peer.client.listTools();
    for (const region of ['eu-west', 'Süd 東', ' padded ', '=?base64?x?=']) {
      const result = await peer.callTool({ name: 'test_x_mcp_header', arguments: { region } });
      assert.equal(textOf(result), `Region: ${region}`);
    }
  },

  'log messages come for the level of the request': async ({ peer, handlers }) => {
    const received = [];
    const listener = (params) => received.push(params.data);
    handlers.on('notifications/message', listener);
    const call = (meta) => peer.callTool({ name: 'test_tool_with_logging', _meta: meta });
    await call({ [LOG_LEVEL_META_KEY]: 'debug' });
    await call({ [LOG_LEVEL_META_KEY]: 'error' });
    await call();
    handlers.off('notifications/message', listener);
    assert.deepEqual(received, [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]);
  },

  'a person is sent to a page': async ({ peer, handlers }) => {
    handlers.elicit = ({ mode, url }) => {
      assert.equal(mode, 'url');
      assert.equal(new URL(url).protocol, 'https:');
      return { action: 'accept' };
    };
    const result = await peer.callTool({ name: 'interop_elicit_url' });
    assert.equal(textOf(result), 'action=accept');
  },

  'roots are asked for': async ({ peer }) => {
    const result = await peer.callTool({ name: 'interop_roots' });
    assert.deepEqual(JSON.parse(textOf(result)), ['file:///home/a', 'file:///home/b']);
  },

  'several questions come at once': async ({ peer, handlers }) => {
    handlers.elicit = answering({ 'What is your name?': { name: 'Ada' } });
    const round = await firstRound(peer, { name: `${RESULT}multiple_inputs` });
    assert.deepEqual(Object.keys(round.inputRequests).sort(), [
      'client_roots',
      'greeting',
      'user_name',
    ]);
    const result = await peer.callTool({ name: `${RESULT}multiple_inputs` });
    assert.equal(textOf(result), 'Write a greeting in 50 tokens Ada, you have roots: 2');
  },

  'questions follow one another in rounds': async ({ peer, handlers }) => {
    handlers.elicit = answering({
      'What is your name?': { name: 'Ada' },
      'Your favourite color, Ada?': { color: 'green' },
    });
    assert.equal(
      textOf(await peer.callTool({ name: `${RESULT}multi_round` })),
      'Ada likes green',
    );
  },

  'a handler starts again in each round, its effect happens once': async ({ peer, handlers }) => {
    handlers.elicit = answering({ 'First?': { a: 'one' }, 'Second?': { b: 'two' } });
    const { structuredContent } = await peer.callTool({ name: 'interop_rounds' });
    const { a, b, bodies, effects } = structuredContent;
    assert.deepEqual([a, b, bodies, effects], ['one', 'two', 3, 1]);
  },

  'a held handler runs once': async ({ peer, handlers }) => {
    handlers.elicit = answering({ 'First?': { a: 'one' }, 'Second?': { b: 'two' } });
    const { structuredContent } = await peer.callTool({ name: 'interop_held' });
    const { a, b, bodies, effects } = structuredContent;
    assert.deepEqual([a, b, bodies, effects], ['one', 'two', 1, 1]);
  },

  'a handler reports progress, asks and reports again': async ({ peer, handlers }) => {
    handlers.elicit = answering({ 'What is your name?': { name: 'Ada' } });
    const steps = [];
    const result = await peer.callTool(
      { name: 'test_streaming_elicitation' },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    assert.match(textOf(result), /Ada/);
    assert.equal(steps[0], 1);
  },

  'a prompt asks': async ({ peer, handlers }) => {
    handlers.elicit = answering({ 'Which context?': { context: 'tea' } });
    const { messages } = await peer.client.getPrompt({ name: `${RESULT}prompt` });
    assert.equal(messages[0].content.text, 'Context: tea');
  },

  'a question that is declined or cancelled fails the tool': async ({ peer, handlers }) => {
    for (const action of ['decline', 'cancel']) {
      handlers.elicit = () => ({ action });
      const result = await peer.callTool({ name: `${RESULT}elicitation` });
      assert.equal(result.isError, true);
    }
  },

  'rounds are driven by hand': async ({ peer }) => {
    const params = { name: `${RESULT}request_state` };
    const { inputRequests, requestState } = await firstRound(peer, params);
    assert.equal(inputRequests.confirm.method, 'elicitation/create');
    const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
    const retry = { ...params, inputResponses, requestState };
    assert.equal(textOf(await firstRound(peer, retry)), 'state-ok true');
    // What has no answer is asked for again.
    const again = await firstRound(peer, { ...params, inputResponses: { other: {} }, requestState });
    assert.deepEqual(Object.keys(again.inputRequests), ['confirm']);
  },

  'a state that was changed is refused': async ({ peer }) => {
    const params = { name: `${RESULT}tampered_state` };
    const { requestState } = await firstRound(peer, params);
    const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
    const retry = (state, name = params.name) =>
      firstRound(peer, { name, inputResponses, requestState: state });
    const refused = { code: -32602, data: { reason: 'invalid_request_state' } };
    const middle = requestState.length >> 1;
    const other = requestState[middle] === 'A' ? 'B' : 'A';
    await assert.rejects(
      retry(requestState.slice(0, middle) + other + requestState.slice(middle + 1)),
      refused,
    );
    await assert.rejects(retry(`${requestState}A`), refused);
    await assert.rejects(retry(requestState, `${RESULT}request_state`), refused);
    assert.equal(textOf(await retry(requestState)), 'confirmed true');
  },

  'questions without an end are an error': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'accept', content: { ok: true } });
    await assert.rejects(peer.callTool({ name: 'interop_ask_now' }), {
      code: SdkErrorCode.InputRequiredRoundsExceeded,
    });
    const patient = await another(peer, {
      capabilities: handlers.capabilities,
      inputRequired: { maxRounds: 20 },
    });
    patient.setRequestHandler('elicitation/create', ({ params }) => handlers.elicit(params));
    await assert.rejects(patient.callTool({ name: 'interop_ask_now' }), { code: -32603 });
    await patient.close();
  },

  'a handler that swallows its question is an error': async ({ peer }) => {
    await assert.rejects(peer.callTool({ name: 'interop_swallow' }), { code: -32603 });
  },

  'a capability that the client lacks is an error': async ({ peer }) => {
    const silent = await another(peer, { capabilities: {} });
    await assert.rejects(silent.callTool({ name: 'test_missing_capability' }), (error) => {
      assert.ok(error instanceof MissingRequiredClientCapabilityError);
      assert.equal(error.code, -32021);
      assert.ok(error.requiredCapabilities.sampling);
      return true;
    });
    await assert.rejects(silent.callTool({ name: 'failing_job' }), (error) => {
      assert.ok(error.requiredCapabilities.extensions['io.modelcontextprotocol/tasks']);
      return true;
    });
    await silent.close();
  },

  'a revision that the server lacks is an error': async ({ peer }) => {
    const call = { name: 'interop_echo', arguments: { text: 'a' } };
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    await assert.rejects(peer.callTool({ ...call, _meta }), (error) => {
      assert.ok(error instanceof UnsupportedProtocolVersionError);
      assert.equal(error.requested, '2099-01-01');
      assert.ok(error.supported.includes(REVISION));
      return true;
    });
  },

  'an unknown method is an error': async ({ peer, transport }) => {
    const request = { method: 'no/such/method', params: {} };
    const answered = peer.client.request(request, specTypeSchemas.Result);
    if (transport === 'stdio') {
      await assert.rejects(answered, { code: -32601 });
      return;
    }
    // The status that the specification demands; this SDK gives the error beside it as a text.
    await assert.rejects(answered, (error) => {
      assert.ok(error instanceof SdkHttpError);
      assert.equal(error.status, 404);
      assert.equal(JSON.parse(error.data.text).error.code, -32601);
      return true;
    });
  },

  'headers that differ from the body are refused': async ({ peer, transport }) => {
    if (transport !== 'http') return;
    const changed = { name: 'Mcp-Name', value: undefined };
    const client = await another(peer, {}, {
      fetch: (url, init) => {
        const headers = new Headers(init.headers);
        if (changed.value) headers.set(changed.name, changed.value);
        return fetch(url, { ...init, headers });
      },
    });
    const call = () => client.callTool({ name: 'interop_echo', arguments: { text: 'a' } });
    assert.equal(textOf(await call()), 'a');
    for (const name of ['Mcp-Name', 'Mcp-Method', 'MCP-Protocol-Version']) {
      Object.assign(changed, { name, value: 'another' });
      await assert.rejects(call(), { code: -32020 }, name);
    }
    changed.value = undefined;
    await client.close();
  },

  'results are kept as long as the server allows': async ({ peer }) => {
    const uri = 'interop://cached';
    const read = async (options) => (await peer.client.readResource({ uri }, options)).contents[0].text;
    const first = await read({ cacheMode: 'refresh' });
    assert.equal(await read(), first);
    const second = await read({ cacheMode: 'refresh' });
    assert.equal(Number(second), Number(first) + 1);
  },

  'changes of lists come on a stream': async ({ peer, handlers }) => {
    const stream = await peer.client.listen({ toolsListChanged: true, promptsListChanged: true });
    assert.deepEqual(stream.honoredFilter, { toolsListChanged: true, promptsListChanged: true });
    for (const kind of ['tool', 'prompt']) {
      const changed = once(handlers, `notifications/${kind}s/list_changed`, WAIT);
      await peer.callTool({ name: `test_trigger_${kind}_change` });
      await changed;
    }
    await stream.close();
    assert.equal(await stream.closed, 'local');
  },

  'a stream carries what was asked for only': async ({ peer, handlers }) => {
    const uri = 'interop://page/011';
    const touch = (resource) =>
      peer.callTool({ name: 'interop_touch_resource', arguments: { uri: resource } });
    const received = [];
    const listener = (params) => received.push(params.uri ?? params);
    handlers.on('notifications/resources/updated', listener);
    handlers.on('notifications/tools/list_changed', listener);
    const stream = await peer.client.listen({ resourceSubscriptions: [uri] });
    await touch('interop://page/012');
    await peer.callTool({ name: 'test_trigger_tool_change' });
    const updated = once(handlers, 'notifications/resources/updated', WAIT);
    await touch(uri);
    await updated;
    await stream.close();
    handlers.off('notifications/resources/updated', listener);
    handlers.off('notifications/tools/list_changed', listener);
    assert.deepEqual(received, [uri]);
  },

  'the client opens its stream by itself': async ({ peer }) => {
    let changed;
    const tools = new Promise((resolve) => {
      changed = resolve;
    });
    const client = await another(peer, {
      listChanged: { tools: { onChanged: (error, list) => changed(list), debounceMs: 0 } },
    });
    assert.deepEqual(client.autoOpenedSubscription.honoredFilter, { toolsListChanged: true });
    await client.callTool({ name: 'test_trigger_tool_change' });
    assert.ok((await tools).length >= 22);
    await client.close();
  },
};
