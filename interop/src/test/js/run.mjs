// Runs the checks with one SDK against one server, one JSON line for each:
//   node run.mjs sdk1|sdk2 http URL
//   node run.mjs sdk1|sdk2 stdio COMMAND ARGUMENT...
import { checks, Handlers } from './checks.mjs';

const [sdk, transport, ...target] = process.argv.slice(2);
const { connect } = await import(`./${sdk}.mjs`);
const handlers = new Handlers();
const peer = await connect(
  transport === 'http' ? { url: target[0] } : { command: target },
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
