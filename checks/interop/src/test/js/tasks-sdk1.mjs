// The experimental tasks of the first generation of the TypeScript SDK, as requestor of the tasks of
// the showcase server and as receiver of what the server asks for as tasks.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { textOf } from './checks.mjs';
import { transportTo } from './sdk1.mjs';

const RELATED = 'io.modelcontextprotocol/related-task';

export async function connect(target, handlers) {
  const receiver = { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } };
  const client = new Client(
    { name: 'typescript-sdk-1-tasks', version: '1' },
    {
      capabilities: { ...handlers.capabilities, tasks: receiver },
      taskStore: new InMemoryTaskStore(),
    },
  );
  const peer = { client, tasks: client.experimental.tasks, asked: [], created: [] };
  const answer = async ({ method, params }, { taskStore }) => {
    peer.asked.push(params);
    const result = await handlers.requests[method](params);
    return params.task ? later(peer, taskStore, params.task.ttl, result) : result;
  };
  client.setRequestHandler(types.CreateMessageRequestSchema, answer);
  client.setRequestHandler(types.ElicitRequestSchema, answer);
  client.setNotificationHandler(types.TaskStatusNotificationSchema, ({ params }) => {
    handlers.emit('status', params);
  });
  await client.connect(transportTo(target));
  await client.listTools(); // in which this SDK learns which tools are tasks
  return peer;
}

/** A task of this client that ends in a while. */
async function later(peer, store, ttl, result) {
  const task = await store.createTask({ ttl, pollInterval: 50 });
  peer.created.push(task);
  setTimeout(() => store.storeTaskResult(task.taskId, 'completed', result), 200);
  return { task };
}

const start = async (peer, name, args, ttl) => {
  const params = { name, arguments: args, task: { ttl } };
  const { task } = await peer.client.request({ method: 'tools/call', params }, types.CreateTaskResultSchema);
  return task;
};

const resultOf = (peer, id) => peer.tasks.getTaskResult(id, types.CallToolResultSchema);

/** What the stream of a call yields, one after the other. */
const stream = async (peer, name, args, options) => {
  const messages = [];
  for await (const message of peer.tasks.callToolStream({ name, arguments: args }, undefined, options)) {
    messages.push(message);
  }
  return messages;
};

export const checks = {
  'a task is created, polled and its result fetched': async ({ peer }) => {
    const messages = await stream(peer, 'task_echo', { text: 'hello', delayMs: 500 }, { task: { ttl: 60_000 } });
    const [created, polled] = messages;
    assert.deepEqual([created.type, created.task.status, created.task.ttl], ['taskCreated', 'working', 60_000]);
    assert.equal(polled.type, 'taskStatus');
    assert.ok(['working', 'completed'].includes(polled.task.status), polled.task.status);
    const last = messages.at(-1);
    assert.equal(last.type, 'result');
    assert.equal(textOf(last.result), 'hello');
    assert.deepEqual(last.result._meta[RELATED], { taskId: created.task.taskId });
  },

  'a tool that requires a task refuses a plain call': async ({ peer }) => {
    const params = { name: 'task_required', arguments: { text: 'a' } };
    await assert.rejects(
      peer.client.request({ method: 'tools/call', params }, types.CallToolResultSchema),
      { code: -32601 },
    );
    const messages = await stream(peer, 'task_required', { text: 'a' });
    assert.equal(textOf(messages.at(-1).result), 'a');
  },

  'a tool that forbids tasks refuses one': async ({ peer }) => {
    await assert.rejects(start(peer, 'task_forbidden', { text: 'a' }), { code: -32601 });
  },

  'a failure of the tool ends the task as failed, with its result': async ({ peer }) => {
    // This SDK fetches no results of failed tasks by itself.
    const messages = await stream(peer, 'task_fail', { message: 'too warm' });
    assert.equal(messages.at(-1).type, 'error');
    const { taskId } = messages[0].task;
    const task = await peer.tasks.getTask(taskId);
    assert.equal(task.status, 'failed');
    assert.match(task.statusMessage, /too warm/);
    const result = await resultOf(peer, taskId);
    assert.deepEqual([result.isError, textOf(result)], [true, 'too warm']);
  },

  'an error of the tool is the answer to tasks/result': async ({ peer }) => {
    const { taskId } = await start(peer, 'task_throw', { message: 'no luck' });
    await assert.rejects(resultOf(peer, taskId), { code: -32603, message: /no luck/ });
  },

  'a cancelled task stops at the server': async ({ peer }) => {
    const stats = async () => (await peer.client.callTool({ name: 'interop_stats' })).structuredContent.forever;
    const before = await stats();
    const { taskId } = await start(peer, 'task_sleep_forever', {});
    const blocked = assert.rejects(resultOf(peer, taskId), { code: -32603, message: /cancelled/ });
    assert.equal((await peer.tasks.cancelTask(taskId)).status, 'cancelled');
    await blocked;
    await assert.rejects(peer.tasks.cancelTask(taskId), { code: -32602 });
    let after = await stats();
    while (after.running > before.running) after = await stats();
    assert.equal(after.started - after.cancelled, before.started - before.cancelled);
  },

  'tasks are listed page by page': async ({ peer }) => {
    const ids = [];
    for (let number = 0; number < 3; number++) {
      ids.push((await start(peer, 'task_echo', { text: `text ${number}` })).taskId);
    }
    const listed = [];
    let cursor;
    do {
      const page = await peer.tasks.listTasks(cursor);
      listed.push(...page.tasks.map((task) => task.taskId));
      cursor = page.nextCursor;
    } while (cursor);
    assert.ok(ids.every((id) => listed.includes(id)));
    assert.equal(new Set(listed).size, listed.length);
    await assert.rejects(peer.tasks.listTasks('nowhere'), { code: -32602 });
  },

  'an unknown task is an error': async ({ peer }) => {
    const refused = { code: -32602 };
    await assert.rejects(peer.tasks.getTask('no-such-task'), refused);
    await assert.rejects(resultOf(peer, 'no-such-task'), refused);
    await assert.rejects(peer.tasks.cancelTask('no-such-task'), refused);
  },

  'a task asks a person': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'accept', content: { name: 'Ada' } });
    const messages = await stream(peer, 'task_elicit', {});
    assert.equal(textOf(messages.at(-1).result), 'Hello Ada');
    assert.deepEqual(peer.asked.at(-1)._meta[RELATED], { taskId: messages[0].task.taskId });
  },

  'a task whose question is declined fails': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'decline' });
    const { taskId } = await start(peer, 'task_elicit', {});
    assert.equal((await resultOf(peer, taskId)).isError, true);
    assert.equal((await peer.tasks.getTask(taskId)).status, 'failed');
  },

  'a task asks a model': async ({ peer }) => {
    const messages = await stream(peer, 'task_sample', { prompt: 'Sing' });
    assert.equal(textOf(messages.at(-1).result), 'Sing in 1000 tokens');
  },

  'progress of a task is heard under the token of its call': async ({ peer }) => {
    const steps = [];
    const onprogress = ({ progress, total }) => steps.push(`${progress}/${total}`);
    const messages = await stream(peer, 'task_progress', { steps: 3, delayMs: 300 }, { onprogress });
    assert.equal(textOf(messages.at(-1).result), 'done 3');
    assert.deepEqual(steps, ['1/3', '2/3', '3/3']);
  },

  'the end of a task is told': async ({ peer, handlers }) => {
    const heard = new Promise((resolve) => handlers.on('status', (task) => {
      if (task.status === 'completed') resolve(task);
    }));
    const { taskId } = await start(peer, 'task_echo', { text: 'a', delayMs: 200 });
    assert.equal((await heard).taskId, taskId);
  },

  'the client answers as a task of its own': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'accept', content: { name: 'Grace' } });
    const sampled = await peer.client.callTool({ name: 'interop_client_task_sample', arguments: { prompt: 'Hum' } });
    assert.equal(textOf(sampled), 'completed: Hum in 1000 tokens');
    const elicited = await peer.client.callTool({ name: 'interop_client_task_elicit' });
    assert.equal(textOf(elicited), 'completed: Grace');
    assert.deepEqual(peer.created.map((task) => task.ttl), [60_000, 60_000]);
  },
};
