// @modelcontextprotocol/ext-tasks above the second generation of the TypeScript SDK, under revision
// 2026-07-28: tasks by the extension, where the server decides which calls become tasks.
import assert from 'node:assert/strict';
import { ProtocolError } from '@modelcontextprotocol/client';
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  resultFromTaskOutcome,
} from '@modelcontextprotocol/ext-tasks/client';
import { textOf } from './checks.mjs';
import * as sdk2 from './sdk2.mjs';

const REVISION = '2026-07-28';
const EXTENSION = 'io.modelcontextprotocol/tasks';

export async function connect(target, handlers) {
  // The SDK itself has no tasks of this revision: ext-tasks sends their requests below it.
  handlers.capabilities.extensions = { [EXTENSION]: {} };
  const peer = await sdk2.connect(target, handlers, { pin: REVISION });
  const answer = createApplicationInputHandler({
    sampling: ({ params }) => handlers.requests['sampling/createMessage'](params),
    elicitation: ({ params }) => handlers.elicit(params),
    roots: () => handlers.requests['roots/list'](),
  });
  peer.questions = [];
  peer.requests = [];
  peer.client.fallbackNotificationHandler = async ({ method, params }) => {
    handlers.emit(method, params);
  };
  peer.dispatch = raw(peer);
  peer.session = createTaskSessionFromClient(peer.client, {
    endpointId: 'showcase',
    rawDispatch: peer.dispatch,
    v2RequestFraming: {
      protocolVersion: REVISION,
      clientInfo: { name: 'ext-tasks', version: '1' },
      clientCapabilities: handlers.capabilities,
    },
    onInputRequest: (request, context) => {
      peer.questions.push(context);
      return answer(request, context);
    },
  });
  return peer;
}

/** Sends requests over the transport of the client, and takes their responses before it does. */
function raw({ transport, requests }) {
  const waiting = new Map();
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const resolve = waiting.get(message.id);
    if (!resolve || message.method) return onmessage(message, extra);
    waiting.delete(message.id);
    return resolve(
      message.error
        ? { kind: 'error', error: message.error }
        : { kind: 'result', result: message.result },
    );
  };
  return (request, options = {}) =>
    new Promise((resolve, reject) => {
      const id = `tasks:${requests.push(request)}`;
      waiting.set(id, resolve);
      transport
        .send({ jsonrpc: '2.0', id, ...request }, { requestSignal: options.signal })
        .catch(reject);
    });
}

const call = (peer, name, args = {}, task = {}) => peer.session.callTool(name, args, { task });

const settle = async (execution) =>
  textOf(resultFromTaskOutcome((await execution.settle()).outcome));

/** The result of a request below the session, with these capabilities. */
async function ask(peer, method, params, capabilities = { extensions: { [EXTENSION]: {} } }) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const { error, result } = await peer.dispatch({ method, params: { ...params, _meta } });
  if (error) throw ProtocolError.fromError(error.code, error.message, error.data);
  return result;
}

export const checks = {
  'a tool that may be a task becomes one': async ({ peer }) => {
    const execution = await call(peer, 'slow_compute', { seconds: 0.5, label: 'tea' });
    assert.equal(execution.kind, 'task');
    const statuses = [];
    for await (const event of execution.updates()) {
      if (event.type === 'task') statuses.push(event.task.status);
    }
    assert.equal(statuses[0], 'working');
    assert.equal(textOf(resultFromTaskOutcome(await execution.result())), 'tea');
  },

  'a tool that is never a task is called at once': async ({ peer }) => {
    const execution = await call(peer, 'greet', { name: 'Ada' });
    assert.equal(execution.kind, 'immediate');
    assert.equal(await settle(execution), 'Hello, Ada!');
  },

  'a tool that requires a task becomes one': async ({ peer }) => {
    const execution = await call(peer, 'task_required', { text: 'a' });
    assert.equal(execution.kind, 'task');
    assert.equal(await settle(execution), 'a');
  },

  'a task asks a person': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'accept', content: { confirm: true } });
    const execution = await call(peer, 'confirm_delete', { filename: 'a.txt' });
    assert.equal(await settle(execution), 'Deleted a.txt');
    const { delivery, taskId } = peer.questions.at(-1);
    assert.deepEqual([delivery, taskId], ['task-update', execution.handle.taskId]);
  },

  'a task asks twice at once': async ({ peer, handlers }) => {
    handlers.elicit = ({ message }) => ({
      action: 'accept',
      content: { name: message === 'Your first name?' ? 'Ada' : 'Lovelace' },
    });
    const before = peer.questions.length;
    const execution = await call(peer, 'multi_input');
    assert.equal(await settle(execution), 'Ada Lovelace');
    assert.equal(peer.questions.length - before, 2);
  },

  'a task asks a model': async ({ peer }) => {
    const execution = await call(peer, 'task_sample', { prompt: 'Sing' });
    assert.equal(await settle(execution), 'Sing in 1000 tokens');
  },

  'a call asks in rounds before it becomes a task': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'accept', content: { name: 'Grace' } });
    const execution = await call(peer, 'test_tool_with_task');
    assert.equal(execution.kind, 'task');
    assert.equal(await settle(execution), 'Hello, Grace!');
    assert.equal(peer.questions.at(-1).delivery, 'request-retry');
  },

  'a failure of the tool is the result of a completed task': async ({ peer }) => {
    const { outcome } = await (await call(peer, 'failing_job')).settle();
    assert.equal(outcome.status, 'completed');
    assert.equal(outcome.result.isError, true);
    assert.equal(textOf(outcome.result), 'The job failed');
  },

  'an error of the tool is that of a failed task': async ({ peer }) => {
    const { outcome } = await (await call(peer, 'protocol_error_job')).settle();
    assert.equal(outcome.status, 'failed');
    assert.equal(outcome.error.code, -32603);
  },

  'a cancelled task stops at the server': async ({ peer }) => {
    const stats = async () =>
      (await peer.callTool({ name: 'interop_stats' })).structuredContent.forever;
    const before = await stats();
    const execution = await call(peer, 'task_sleep_forever');
    await execution.cancel();
    assert.equal((await execution.settle()).outcome.status, 'cancelled');
    let after = await stats();
    while (after.running > before.running) after = await stats();
    assert.equal(after.started - after.cancelled, before.started - before.cancelled);
  },

  'another client continues a task by its reference': async ({ peer, handlers }) => {
    const execution = await call(peer, 'slow_compute', { seconds: 0.5, label: 'later' });
    const reference = execution.serializeReference();
    await execution.detach();
    const other = await connect(peer.target, handlers);
    // Over stdio the other client has a server of its own.
    if (peer.target.url) {
      assert.equal(await settle(await other.session.resumeTask(reference)), 'later');
    } else {
      await assert.rejects(other.session.resumeTask(reference), /-32602|task/i);
    }
    await other.client.close();
  },

  'changes of a task come on a stream': async ({ peer, handlers }) => {
    const execution = await call(peer, 'slow_compute', { seconds: 2, label: 'tea' });
    const { taskId } = execution.handle;
    const completed = new Promise((resolve) => {
      handlers.on('notifications/tasks', (task) => {
        if (task.taskId === taskId && task.status === 'completed') resolve(task);
      });
    });
    const stream = await peer.client.listen({ taskIds: [taskId, 'no-such-task'] });
    // The SDK drops what its schema of the acknowledgement does not have, so also the tasks.
    assert.deepEqual(stream.honoredFilter, {});
    assert.equal(textOf((await completed).result), 'tea');
    await stream.close();
    await settle(execution);
  },

  'an answer is taken once': async ({ peer }) => {
    const { taskId } = (await call(peer, 'confirm_delete', { filename: 'b.txt' })).handle;
    let task;
    do task = await ask(peer, 'tasks/get', { taskId });
    while (task.status !== 'input_required');
    assert.equal(task.resultType, 'complete');
    const [key] = Object.keys(task.inputRequests);
    const update = (confirm) =>
      ask(peer, 'tasks/update', {
        taskId,
        inputResponses: { [key]: { action: 'accept', content: { confirm } } },
      });
    await update(false);
    await update(true);
    do task = await ask(peer, 'tasks/get', { taskId });
    while (task.status !== 'completed');
    assert.equal(textOf(task.result), 'Kept b.txt');
  },

  'an unknown task is an error': async ({ peer }) => {
    const taskId = 'no-such-task';
    const refused = { code: -32602 };
    await assert.rejects(ask(peer, 'tasks/get', { taskId }), refused);
    await assert.rejects(ask(peer, 'tasks/cancel', { taskId }), refused);
    await assert.rejects(ask(peer, 'tasks/update', { taskId, inputResponses: {} }), refused);
  },

  'without the extension there are no tasks': async ({ peer }) => {
    const refused = {
      code: -32021,
      data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
    };
    const params = { name: 'task_required', arguments: { text: 'a' } };
    await assert.rejects(ask(peer, 'tools/call', params, {}), refused);
    await assert.rejects(ask(peer, 'tasks/get', { taskId: 'a' }, {}), refused);
    const plain = await ask(peer, 'tools/call', { name: 'task_echo', arguments: { text: 'a' } }, {});
    assert.deepEqual([plain.resultType, textOf(plain)], ['complete', 'a']);
  },
};
