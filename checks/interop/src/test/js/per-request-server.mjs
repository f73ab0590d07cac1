// A server of the second generation of the TypeScript SDK, which speaks revision 2026-07-28 and, to
// clients that greet it, the older ones:
//   node per-request-server.mjs stdio|http
// Over HTTP it prints "listening on URL" and serves until it is killed.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  McpServer,
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (content) => ({ content: [{ type: 'text', text: content }] });
const states = createRequestStateCodec({ key: 'a key that is thirty-two bytes long!' });
const sure = z.object({ sure: z.boolean() });
let cancelled = 0;
let notifier; // of the HTTP handler; over stdio the instance announces its changes itself

function create() {
  const server = new McpServer(
    { name: 'typescript', version: '2.4.0' },
    {
      capabilities: { logging: {}, tools: { listChanged: true }, resources: { subscribe: true } },
      requestState: { verify: states.verify },
    },
  );
  server.registerTool(
    'echo',
    { description: 'Echoes', inputSchema: z.object({ text: z.string() }) },
    ({ text: said }) => text(said),
  );
  server.registerTool(
    'sum',
    {
      description: 'Adds',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ ...text(`${a + b}`), structuredContent: { sum: a + b } }),
  );
  // two rounds, one after the other; the state has the first answer
  server.registerTool(
    'book',
    { description: 'Books', inputSchema: z.object({ town: z.string() }) },
    async ({ town }, ctx) => {
      const before = ctx.mcpReq.requestState();
      if (before === undefined) {
        const first = acceptedContent(ctx.mcpReq.inputResponses, 'first', sure);
        return inputRequired({
          inputRequests: {
            first: inputRequired.elicit({ message: `To ${town}?`, requestedSchema: sure }),
          },
          requestState: await states.mint({ step: 1, first }),
        });
      }
      if (before.step === 1) {
        const { sure: first } = acceptedContent(ctx.mcpReq.inputResponses, 'first', sure);
        return inputRequired({
          inputRequests: {
            second: inputRequired.elicit({ message: 'Today?', requestedSchema: sure }),
          },
          requestState: await states.mint({ step: 2, first }),
        });
      }
      const { sure: second } = acceptedContent(ctx.mcpReq.inputResponses, 'second', sure);
      return text(`${town} ${before.first} ${second}`);
    },
  );
  server.registerTool(
    'together',
    { description: 'Asks the person, the model and for roots', inputSchema: z.object({}) },
    (none, ctx) => {
      const answers = ctx.mcpReq.inputResponses;
      if (answers === undefined) {
        return inputRequired({
          inputRequests: {
            person: inputRequired.elicit({ message: 'Sure?', requestedSchema: sure }),
            model: inputRequired.createMessage({
              maxTokens: 9,
              messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
            }),
            roots: inputRequired.listRoots(),
          },
        });
      }
      const person = acceptedContent(answers, 'person', sure);
      const model = inputResponse(answers, 'model').result.content.text;
      const roots = inputResponse(answers, 'roots').roots.map((root) => root.uri);
      return text(`${person.sure} ${model} ${roots}`);
    },
  );
  server.registerTool(
    'steps',
    { description: 'Reports progress', inputSchema: z.object({}) },
    async (none, ctx) => {
      for (let progress = 1; progress <= 3; progress++) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: ctx.mcpReq._meta.progressToken, progress, total: 3 },
        });
      }
      return text('done');
    },
  );
  server.registerTool(
    'log',
    { description: 'Logs', inputSchema: z.object({}) },
    async (none, ctx) => {
      await ctx.mcpReq.log('debug', 'fine');
      await ctx.mcpReq.log('warning', 'odd');
      return text('logged');
    },
  );
  server.registerTool(
    'wait',
    { description: 'Reports that it waits, and waits until it is cancelled', inputSchema: z.object({}) },
    async (none, ctx) => {
      const end = new Promise((resolve, reject) => {
        ctx.mcpReq.signal.addEventListener('abort', () => {
          cancelled++;
          reject(new Error('cancelled'));
        });
      });
      await ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: ctx.mcpReq._meta.progressToken, progress: 1 },
      });
      return end;
    },
  );
  server.registerTool(
    'cancelled',
    { description: 'How many calls were cancelled', inputSchema: z.object({}) },
    () => text(`${cancelled}`),
  );
  server.registerTool(
    'touch',
    { description: 'Changes the note and the tools', inputSchema: z.object({}) },
    async () => {
      if (notifier) {
        notifier.resourceUpdated('note://1');
        notifier.toolsChanged();
      } else {
        await server.server.sendResourceUpdated({ uri: 'note://1' });
        await server.server.sendToolListChanged();
      }
      return text('touched');
    },
  );
  server.registerResource('note', 'note://1', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'a note' }],
  }));
  // for clients that greet it; those of revision 2026-07-28 listen, which the SDK answers
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.registerPrompt(
    'praise',
    { description: 'Praises', argsSchema: z.object({ what: z.string() }) },
    ({ what }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Praise ${what}` } }],
    }),
  );
  return server;
}

if (process.argv[2] === 'stdio') {
  serveStdio(create);
} else {
  const handler = createMcpHandler(create);
  notifier = handler.notify;
  const server = createServer(toNodeHandler(handler));
  server.listen(0, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}/mcp`);
  });
}
