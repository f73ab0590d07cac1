// Runs checks with one peer against one server, one JSON line for each:
//   node run.mjs PEER http|sse URL
//   node run.mjs PEER stdio COMMAND ARGUMENT...
// A peer is a script beside this one; it may have checks of its own instead of the common ones.
import * as common from './checks.mjs';

const [name, transport, ...target] = process.argv.slice(2);
const { connect, checks = common.checks } = await import(`./${name}.mjs`);
const handlers = new common.Handlers();
const peer = await connect(
  transport === 'stdio' ? { command: target } : { url: target[0], sse: transport === 'sse' },
  handlers,
);
for (const [name, check] of Object.entries(checks)) {
  const start = performance.now();
  let error;
  try {
    await check({ peer, handlers, transport });
  } catch (e) {
    error = e.stack ?? String(e);
  }
  const ms = Math.round(performance.now() - start);
  console.log(JSON.stringify({ check: name, ms, error }));
}
await peer.client.close();
process.exit(0);
