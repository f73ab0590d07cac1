// What a client of another make does with the showcase server. Each check is a sentence; it passes
// or throws. `peer` is the client under one interface for both generations of the SDK, see sdk1.mjs.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';

const WAIT = { signal: AbortSignal.timeout(150_000) };

export const textOf = (result) => result.content.map((block) => block.text).join('\n');

/** What the client answers and hears; checks look into it. */
export class Handlers extends EventEmitter {
  elicit = () => ({ action: 'cancel' });

  capabilities = {
    sampling: {},
    elicitation: { form: {}, url: {} },
    roots: { listChanged: true },
  };

  requests = {
    'sampling/createMessage': ({ messages, maxTokens }) => ({
      role: 'assistant',
      model: 'a-model',
      stopReason: 'endTurn',
      content: { type: 'text', text: `${messages[0].content.text} in ${maxTokens} tokens` },
    }),
    'elicitation/create': (params) => this.elicit(params),
    'roots/list': () => ({ roots: [{ uri: 'file:///home/a', name: 'a' }, { uri: 'file:///home/b' }] }),
  };

  notifications = [
    'notifications/message',
    'notifications/resources/updated',
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
    'notifications/prompts/list_changed',
    'notifications/elicitation/complete',
  ];
}

export const checks = {
  'the handshake tells name, revision and capabilities': async ({ peer }) => {
    assert.equal(peer.client.getServerVersion().name, 'fairlead-showcase');
    assert.match(peer.client.getInstructions(), /interop_/);
    const capabilities = peer.client.getServerCapabilities();
    assert.equal(capabilities.tools.listChanged, true);
    assert.equal(capabilities.resources.listChanged, true);
    assert.equal(capabilities.resources.subscribe, true);
    assert.ok(capabilities.prompts && capabilities.logging && capabilities.completions);
    if (peer.revision()) assert.equal(peer.revision(), '2025-11-25');
  },

  'it answers a ping': async ({ peer }) => {
    await peer.client.ping();
  },

  'tools are listed with their schemas': async ({ peer }) => {
    const { tools } = await peer.client.listTools();
    assert.ok(tools.length >= 22);
    const structured = tools.find((tool) => tool.name === 'interop_structured');
    assert.deepEqual(structured.inputSchema.required, ['city']);
    assert.equal(structured.outputSchema.properties.temperature.type, 'number');
  },

  'every kind of content arrives': async ({ peer }) => {
    const types = async (name) => (await peer.callTool({ name })).content.map((block) => block.type);
    assert.deepEqual(await types('test_simple_text'), ['text']);
    assert.deepEqual(await types('test_image_content'), ['image']);
    assert.deepEqual(await types('test_audio_content'), ['audio']);
    assert.deepEqual(await types('test_embedded_resource'), ['resource']);
    assert.deepEqual(await types('test_multiple_content_types'), ['text', 'image', 'resource']);
  },

  'structured content passes the check against its schema': async ({ peer }) => {
    const result = await peer.callTool({ name: 'interop_structured', arguments: { city: 'Oslo' } });
    const weather = { city: 'Oslo', temperature: 21.5, conditions: 'sunny' };
    assert.deepEqual(result.structuredContent, weather);
    assert.deepEqual(JSON.parse(textOf(result)), weather);
  },

  'a long text with any character comes back unchanged': async ({ peer, transport }) => {
    const sample = 'a"\\\u0000\n\r\t\u2028\ufeff é 漢字 🚀 ';
    const text = sample.repeat(((transport === 'stdio' ? 4 : 1) << 20) / Buffer.byteLength(sample) + 1);
    const result = await peer.callTool({ name: 'interop_echo', arguments: { text } });
    assert.ok(textOf(result) === text);
  },

  'failures of a tool are results, an unknown tool is an error': async ({ peer }) => {
    const failed = await peer.callTool({ name: 'test_error_handling' });
    assert.equal(failed.isError, true);
    assert.match(textOf(failed), /intentionally/);
    const wrong = await peer.callTool({ name: 'interop_slow', arguments: { ms: 'long' } });
    assert.equal(wrong.isError, true);
    assert.match(textOf(wrong), /ms/);
    await assert.rejects(peer.callTool({ name: 'no_such_tool' }), { code: -32602 });
  },

  'progress arrives step by step': async ({ peer }) => {
    const steps = [];
    const result = await peer.callTool(
      { name: 'interop_slow', arguments: { ms: 1000, steps: 4 } },
      { onprogress: ({ progress, total }) => steps.push(`${progress}/${total}`) },
    );
    assert.equal(textOf(result), 'slept 1000');
    // Both SDKs forget the listener before they hand over what came together with the result.
    assert.deepEqual(steps, ['1/4', '2/4', '3/4', '4/4'].slice(0, Math.max(1, steps.length)));
  },

  'a cancelled call stops at the server': async ({ peer }) => {
    const stats = async () =>
      (await peer.callTool({ name: 'interop_stats' })).structuredContent.slow;
    const before = await stats();
    const abort = new AbortController();
    await assert.rejects(
      peer.callTool(
        { name: 'interop_slow', arguments: { ms: 600_000, steps: 10_000 } },
        { signal: abort.signal, onprogress: () => abort.abort('enough') },
      ),
    );
    let after = await stats();
    while (after.running > 0) after = await stats();
    assert.equal(after.cancelled, before.cancelled + 1);
  },

  'log messages come as asked for': async ({ peer, handlers }) => {
    const heard = [];
    const listener = (params) => heard.push(params.data);
    handlers.on('notifications/message', listener);
    await peer.client.setLoggingLevel('debug');
    await peer.callTool({ name: 'test_tool_with_logging' });
    await peer.client.setLoggingLevel('error');
    await peer.callTool({ name: 'test_tool_with_logging' });
    handlers.off('notifications/message', listener);
    assert.deepEqual(heard, [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]);
  },

  'a model is asked': async ({ peer }) => {
    const result = await peer.callTool({ name: 'test_sampling', arguments: { prompt: 'Sing' } });
    assert.equal(textOf(result), 'LLM response: Sing in 100 tokens');
  },

  'a person is asked by a form': async ({ peer, handlers }) => {
    const content = { username: 'ada', email: 'ada@example.com' };
    handlers.elicit = ({ message, requestedSchema }) => {
      assert.equal(message, 'Who?');
      assert.deepEqual(requestedSchema.required, ['username', 'email']);
      return { action: 'accept', content };
    };
    const call = { name: 'test_elicitation', arguments: { message: 'Who?' } };
    assert.ok(textOf(await peer.callTool(call)).includes(JSON.stringify(content)));
    handlers.elicit = () => ({ action: 'decline' });
    assert.match(textOf(await peer.callTool(call)), /"action":"decline"/);
  },

  'forms carry defaults and choices of every form': async ({ peer, handlers }) => {
    const asked = [];
    handlers.elicit = ({ requestedSchema }) => {
      asked.push(requestedSchema.properties);
      return { action: 'accept', content: {} };
    };
    await peer.callTool({ name: 'test_elicitation_sep1034_defaults' });
    await peer.callTool({ name: 'test_elicitation_sep1330_enums' });
    assert.equal(asked[0].score.default, 95.5);
    assert.equal(asked[1].titledMulti.items.anyOf[0].title, 'First Choice');
  },

  'a person is sent to a page, and hears that the visit is over': async ({ peer, handlers }) => {
    let id;
    handlers.elicit = ({ mode, url, elicitationId }) => {
      assert.equal(mode, 'url');
      assert.equal(new URL(url).protocol, 'https:');
      id = elicitationId;
      return { action: 'accept' };
    };
    const completed = once(handlers, 'notifications/elicitation/complete', WAIT);
    const result = await peer.callTool({ name: 'interop_elicit_url' });
    assert.equal(textOf(result), 'action=accept');
    assert.equal((await completed)[0].elicitationId, id);
  },

  'roots are asked for': async ({ peer }) => {
    const result = await peer.callTool({ name: 'interop_roots' });
    assert.deepEqual(JSON.parse(textOf(result)), ['file:///home/a', 'file:///home/b']);
    await peer.client.sendRootsListChanged();
  },

  'resources come in pages': async ({ peer }) => {
    const uris = [];
    let cursor;
    do {
      const page = await peer.resourcePage(cursor);
      assert.ok(page.resources.length <= 50);
      uris.push(...page.resources.map((resource) => resource.uri));
      cursor = page.nextCursor;
    } while (cursor);
    assert.ok(uris.includes('interop://page/059') && uris.includes('test://static-text'));
    assert.equal(new Set(uris).size, uris.length);
  },

  'resources are read': async ({ peer }) => {
    const read = async (uri) => (await peer.client.readResource({ uri })).contents[0];
    assert.equal((await read('interop://page/007')).text, 'Page 007');
    const image = await read('test://static-binary');
    assert.equal(image.mimeType, 'image/png');
    assert.equal(Buffer.from(image.blob, 'base64').subarray(1, 4).toString(), 'PNG');
    assert.match((await read('test://template/123/data')).text, /Data for ID: 123/);
    await assert.rejects(read('interop://nowhere'), { code: peer.notFound });
    const { resourceTemplates } = await peer.client.listResourceTemplates();
    assert.equal(resourceTemplates.length, 2);
  },

  'a watched resource is heard of': async ({ peer, handlers }) => {
    const uri = 'interop://page/011';
    const heard = [];
    const listener = (params) => heard.push(params.uri);
    handlers.on('notifications/resources/updated', listener);
    const touch = () => peer.callTool({ name: 'interop_touch_resource', arguments: { uri } });
    await touch();
    const updated = once(handlers, 'notifications/resources/updated', WAIT);
    await peer.client.subscribeResource({ uri });
    assert.equal(textOf(await touch()), 'touched');
    await updated;
    await peer.client.unsubscribeResource({ uri });
    await touch();
    await peer.client.ping();
    handlers.off('notifications/resources/updated', listener);
    assert.deepEqual(heard, [uri]);
  },

  'changes of lists are heard of': async ({ peer, handlers }) => {
    for (const kind of ['tools', 'resources', 'prompts']) {
      const changed = once(handlers, `notifications/${kind}/list_changed`, WAIT);
      await peer.callTool({ name: 'interop_list_changed', arguments: { kind } });
      await changed;
    }
  },

  'prompts are listed and got': async ({ peer }) => {
    const { prompts } = await peer.client.listPrompts();
    assert.ok(prompts.some((prompt) => prompt.name === 'interop_prompt'));
    const get = async (name, args) =>
      (await peer.client.getPrompt({ name, arguments: args })).messages;
    assert.equal((await get('test_simple_prompt')).length, 1);
    const both = await get('test_prompt_with_arguments', { arg1: 'one', arg2: 'two' });
    assert.match(both[0].content.text, /one.*two/s);
    const image = await get('test_prompt_with_image');
    assert.equal(image[0].content.type, 'image');
    await assert.rejects(get('test_prompt_with_arguments', {}), { code: -32602 });
    await assert.rejects(get('no_such_prompt'), { code: -32602 });
  },

  'arguments are completed': async ({ peer }) => {
    const complete = async (ref, name, value) =>
      (await peer.client.complete({ ref, argument: { name, value } })).completion;
    const languages = await complete({ type: 'ref/prompt', name: 'interop_prompt' }, 'lang', 'java');
    assert.deepEqual(languages.values, ['java', 'javascript']);
    const template = { type: 'ref/resource', uri: 'interop://items/{id}' };
    const items = await complete(template, 'id', '');
    assert.deepEqual([items.values.length, items.total, items.hasMore], [100, 150, true]);
  },

  '64 calls at a time are all answered': async ({ peer }) => {
    const numbers = Array.from({ length: 64 }, (_, number) => number);
    const results = await Promise.all(
      numbers.map((number) =>
        peer.callTool({ name: 'interop_echo', arguments: { text: `text ${number}` } }),
      ),
    );
    assert.deepEqual(
      results.map(textOf),
      numbers.map((number) => `text ${number}`),
    );
  },

  'an answer survives the end of its stream': async ({ peer }) => {
    const result = await peer.callTool({ name: 'test_reconnection' });
    assert.match(textOf(result), /completed successfully/);
  },

  'a session that was ended is gone': async ({ peer, transport }) => {
    if (transport !== 'http') return;
    await peer.transport.terminateSession();
    await assert.rejects(peer.client.ping());
  },
};
