// A client of the TypeScript SDK v2, of revision 2026-07-28, for the measurements of CallingClient:
// `node client.mjs URL`, or `node client.mjs COMMAND [ARGUMENT...]` for a server over stdio.
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const TEXT = 'x'.repeat(120);
const [command, ...args] = process.argv.slice(2);

const client = new Client(
  { name: 'typescript-sdk-2', version: '1' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
await client.connect(
  args.length === 0
    ? new StreamableHTTPClientTransport(new URL(command))
    : new StdioClientTransport({ command, args }),
);
await client.listTools();

async function call() {
  const result = await client.callTool({ name: 'echo', arguments: { text: TEXT } });
  if (result.content[0].text !== TEXT) throw new Error(`wrong result: ${JSON.stringify(result)}`);
}

async function callUntil(end) {
  let calls = 0;
  while (performance.now() < end) {
    await call();
    calls++;
  }
  return calls;
}

await call();
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [, callers, millis] = line.split(' ');
  const before = process.cpuUsage();
  const end = performance.now() + Number(millis);
  const calls = await Promise.all(Array.from({ length: Number(callers) }, () => callUntil(end)));
  const { user, system } = process.cpuUsage(before);
  console.log(`made ${calls.reduce((a, b) => a + b)} ${(user + system) * 1000} 0`);
}
process.exit();
