// A server of the TypeScript SDK with one tool that gives back what it gets:
// `node server.mjs stdio`, or `node server.mjs stateful|stateless PORT`.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const [mode, port] = process.argv.slice(2);

function echoServer() {
  const server = new McpServer({ name: 'typescript-sdk', version: '1' });
  server.registerTool(
    'echo',
    { description: 'Gives back its text', inputSchema: { text: z.string() } },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
}

// The SDK's own examples keep sessions in such a map.
const sessions = new Map();

async function stateful(request, response) {
  const id = request.headers['mcp-session-id'];
  let transport = sessions.get(id);
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (created) => sessions.set(created, transport),
    });
    await echoServer().connect(transport);
  }
  await transport.handleRequest(request, response);
}

async function stateless(request, response) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  const server = echoServer();
  response.on('close', () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

if (mode === 'stdio') {
  await echoServer().connect(new StdioServerTransport());
} else {
  createServer(mode === 'stateful' ? stateful : stateless).listen(Number(port), '127.0.0.1');
}
