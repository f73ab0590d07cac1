// @modelcontextprotocol/ext-tasks above the second generation of the TypeScript SDK. As requestor it
// polls tasks/get only and asks for the result at the end, so questions must come on their own. As
// receiver it is a client of its own here, for it would refuse the plain questions.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  resultFromTaskOutcome,
} from '@modelcontextprotocol/ext-tasks/client';
import { bindTaskReceiver } from '@modelcontextprotocol/ext-tasks/receiver';
import { textOf } from './checks.mjs';
import { transportTo } from './sdk2.mjs';

export async function connect(target, handlers) {
  const client = new Client(
    { name: 'ext-tasks', version: '1' },
    { capabilities: handlers.capabilities },
  );
  await client.connect(transportTo(target));
  const { tools } = await client.listTools();
  const peer = { client, target, questions: [] };
  const answer = createApplicationInputHandler({
    sampling: ({ params }) => handlers.requests['sampling/createMessage'](params),
    elicitation: ({ params }) => handlers.elicit(params),
    roots: () => handlers.requests['roots/list'](),
  });
  peer.session = createTaskSessionFromClient(client, {
    endpointId: 'showcase',
    tools: { currentTool: (name) => declaration(tools.find((tool) => tool.name === name)) },
    onInputRequest: (request, context) => {
      peer.questions.push(context.taskId);
      return answer(request, context);
    },
  });
  return peer;
}

const declaration = (tool) => tool && { ...tool, taskSupport: tool.execution?.taskSupport };

/** A client that answers as tasks; `created` gathers their ids. */
async function receiver(target, handlers, created) {
  const client = new Client(
    { name: 'ext-tasks-receiver', version: '1' },
    { capabilities: handlers.capabilities },
  );
  const answer = async ({ method, params }, { taskId }) => {
    created.push(taskId);
    return handlers.requests[method](params);
  };
  const { capabilities } = bindTaskReceiver(client, {
    methods: { 'sampling/createMessage': true, 'elicitation/create': true },
    sampling: answer,
    elicitation: answer,
  });
  client.registerCapabilities({ tasks: capabilities });
  await client.connect(transportTo(target));
  return client;
}

const call = (peer, name, args = {}) =>
  peer.session.callTool(name, args, { task: { preference: 'prefer' } });

const settle = async (execution) =>
  textOf(resultFromTaskOutcome((await execution.settle()).outcome));

export const checks = {
  'a task is created, polled and its result fetched': async ({ peer }) => {
    const execution = await call(peer, 'task_echo', { text: 'hello', delayMs: 500 });
    assert.equal(execution.kind, 'task');
    assert.equal(await settle(execution), 'hello');
  },

  'a tool that requires a task is called as one': async ({ peer }) => {
    const execution = await peer.session.callTool('task_required', { text: 'a' });
    assert.equal(execution.kind, 'task');
    assert.equal(await settle(execution), 'a');
  },

  'a question reaches a client that only polls': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'accept', content: { name: 'Ada' } });
    const execution = await call(peer, 'task_elicit');
    assert.equal(await settle(execution), 'Hello Ada');
    assert.equal(peer.questions.at(-1), execution.handle.taskId);
  },

  'a task asks a model': async ({ peer }) => {
    const execution = await call(peer, 'task_sample', { prompt: 'Sing' });
    assert.equal(await settle(execution), 'Sing in 1000 tokens');
  },

  'a failed task tells why': async ({ peer }) => {
    const execution = await call(peer, 'task_fail', { message: 'too warm' });
    const { outcome } = await execution.settle();
    assert.equal(outcome.status, 'failed');
    assert.match(outcome.error.message, /too warm/);
  },

  'a task is cancelled': async ({ peer }) => {
    const execution = await call(peer, 'task_sleep_forever');
    await execution.cancel();
    assert.equal((await execution.settle()).outcome.status, 'cancelled');
  },

  'tasks are listed': async ({ peer }) => {
    const execution = await call(peer, 'task_echo', { text: 'a' });
    const { tasks } = await peer.session.listTasks();
    assert.ok(tasks.some((task) => task.taskId === execution.handle.taskId));
    await execution.settle();
  },

  'the client answers as a task of its own': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'accept', content: { name: 'Grace' } });
    const created = [];
    const client = await receiver(peer.target, handlers, created);
    const ask = async (name, args) => textOf(await client.callTool({ name, arguments: args }));
    assert.equal(
      await ask('interop_client_task_sample', { prompt: 'Hum' }),
      'completed: Hum in 1000 tokens',
    );
    assert.equal(await ask('interop_client_task_elicit', {}), 'completed: Grace');
    assert.equal(created.length, 2);
    await client.close();
  },
};
