// The first generation of the TypeScript SDK: @modelcontextprotocol/sdk.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

const schemas = new Map(
  Object.values(types)
    .filter((schema) => schema?.shape?.method?.value)
    .map((schema) => [schema.shape.method.value, schema]),
);

export function transportTo({ url, sse, command }) {
  if (!url) return new StdioClientTransport({ command: command[0], args: command.slice(1) });
  return sse ? new SSEClientTransport(new URL(url)) : new StreamableHTTPClientTransport(new URL(url));
}

export async function connect(target, handlers) {
  const transport = transportTo(target);
  const client = new Client(
    { name: 'typescript-sdk-1', version: '1' },
    { capabilities: handlers.capabilities },
  );
  for (const [method, answer] of Object.entries(handlers.requests)) {
    client.setRequestHandler(schemas.get(method), (request) => answer(request.params));
  }
  for (const method of handlers.notifications) {
    client.setNotificationHandler(schemas.get(method), (notification) => {
      handlers.emit(method, notification.params);
    });
  }
  await client.connect(transport);
  return {
    client,
    transport,
    notFound: -32002,
    revision: () => transport.protocolVersion,
    callTool: (params, options) => client.callTool(params, undefined, options),
    resourcePage: (cursor) => client.listResources(cursor ? { cursor } : undefined),
  };
}
