// The second generation of the TypeScript SDK: @modelcontextprotocol/client.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const transportTo = (target, options) =>
  target.url
    ? new StreamableHTTPClientTransport(new URL(target.url), options)
    : new StdioClientTransport({ command: target.command[0], args: target.command.slice(1) });

/** Connects; `mode` is that of the version negotiation: `legacy`, `auto` or `{ pin }`. */
export async function connect(target, handlers, mode = 'legacy') {
  const transport = transportTo(target);
  const client = new Client(
    { name: 'typescript-sdk-2', version: '1' },
    { capabilities: handlers.capabilities, versionNegotiation: { mode } },
  );
  for (const [method, answer] of Object.entries(handlers.requests)) {
    client.setRequestHandler(method, (request) => answer(request.params));
  }
  for (const method of handlers.notifications) {
    client.setNotificationHandler(method, (notification) => {
      handlers.emit(method, notification.params);
    });
  }
  await client.connect(transport);
  return {
    client,
    transport,
    target,
    notFound: -32602, // this SDK renames -32002
    revision: () => transport.protocolVersion,
    callTool: (params, options) => client.callTool(params, options),
    // Its listResources reads all pages.
    resourcePage: (cursor) => client.request({ method: 'resources/list', params: { cursor } }),
  };
}
