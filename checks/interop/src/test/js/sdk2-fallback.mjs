// The second generation of the TypeScript SDK against a server of the handshake revisions: it asks for
// revision 2026-07-28 first and falls back to the handshake.
import { connect as connectTo } from './sdk2.mjs';

export const connect = (target, handlers) => connectTo(target, handlers, 'auto');
