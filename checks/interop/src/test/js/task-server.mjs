// A server of the first generation of the TypeScript SDK, with its experimental tasks:
//   node task-server.mjs stdio|http
// Over HTTP it prints "listening on URL" and serves until it is killed.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CreateMessageResultSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const text = (content) => ({ content: [{ type: 'text', text: content }] });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What tools do as tasks: from their arguments and what `context` offers to a result. */
const tools = {
  echo_later: {
    taskSupport: 'optional',
    inputSchema: { text: z.string(), ms: z.number() },
    work: async (args) => {
      await pause(args.ms);
      return text(args.text);
    },
  },
  echo_task: {
    taskSupport: 'required',
    inputSchema: { text: z.string() },
    work: async (args) => text(args.text),
  },
  wait: {
    taskSupport: 'required',
    inputSchema: {},
    work: () => new Promise(() => {}),
  },
  fail: {
    taskSupport: 'optional',
    inputSchema: { message: z.string() },
    work: async (args) => ({ ...text(args.message), isError: true }),
  },
  steps: {
    taskSupport: 'required',
    inputSchema: { steps: z.number() },
    work: async (args, context) => {
      for (let step = 1; step <= args.steps; step++) await context.progress(step, args.steps);
      return text(`${args.steps} steps`);
    },
  },
  ask_name: {
    taskSupport: 'required',
    inputSchema: {},
    work: async (args, context) => {
      const requestedSchema = {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      };
      const params = { mode: 'form', message: 'Who are you?', requestedSchema };
      const answer = await context.ask({ method: 'elicitation/create', params }, ElicitResultSchema);
      return answer.action === 'accept'
        ? text(`Hello ${answer.content.name}`)
        : { ...text(answer.action), isError: true };
    },
  },
  ask_model: {
    taskSupport: 'required',
    inputSchema: { prompt: z.string() },
    work: async (args, context) => {
      const messages = [{ role: 'user', content: { type: 'text', text: args.prompt } }];
      const request = { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } };
      return text((await context.ask(request, CreateMessageResultSchema)).content.text);
    },
  },
};

/** What a task can do for itself: the SDK delivers it with tasks/result. */
function contextOf(server, task, { sendRequest, taskStore, _meta }) {
  const relatedTask = { taskId: task.taskId };
  return {
    ask: async (request, schema) => {
      const answer = await sendRequest(request, schema, { relatedTask });
      await taskStore.updateTaskStatus(task.taskId, 'working');
      return answer;
    },
    progress: (progress, total) =>
      server.server.notification(
        {
          method: 'notifications/progress',
          params: { progressToken: _meta?.progressToken, progress, total },
        },
        { relatedTask },
      ),
  };
}

async function run(work, args, context, task, store) {
  try {
    const result = await work(args, context);
    await store.storeTaskResult(task.taskId, result.isError ? 'failed' : 'completed', result);
  } catch (e) {
    // It was cancelled meanwhile, or its session is over.
    console.error(String(e));
  }
}

function server() {
  const requests = { tools: { call: {} } };
  const server = new McpServer(
    { name: 'typescript-sdk-1-tasks', version: '1' },
    {
      capabilities: { tasks: { list: {}, cancel: {}, requests } },
      taskStore: new InMemoryTaskStore(),
      taskMessageQueue: new InMemoryTaskMessageQueue(),
    },
  );
  for (const [name, { taskSupport, inputSchema, work }] of Object.entries(tools)) {
    server.experimental.tasks.registerToolTask(
      name,
      { description: name, inputSchema, execution: { taskSupport } },
      {
        createTask: async (args, extra) => {
          const store = extra.taskStore;
          const task = await store.createTask({ ttl: extra.taskRequestedTtl, pollInterval: 100 });
          run(work, args, contextOf(server, task, extra), task, store);
          return { task };
        },
        getTask: (args, { taskId, taskStore }) => taskStore.getTask(taskId),
        getTaskResult: (args, { taskId, taskStore }) => taskStore.getTaskResult(taskId),
      },
    );
  }
  return server;
}

const sessions = new Map();

async function transportOf(request) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known;
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  await server().connect(transport);
  return transport;
}

if (process.argv[2] === 'stdio') {
  await server().connect(new StdioServerTransport());
} else {
  const http = createServer(async (request, response) => {
    await (await transportOf(request)).handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${http.address().port}/mcp`);
  });
}
