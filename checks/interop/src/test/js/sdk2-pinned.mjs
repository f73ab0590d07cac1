// The second generation of the TypeScript SDK, which accepts revision 2026-07-28 only.
import { connect as connectTo } from './sdk2.mjs';

export { checks } from './per-request.mjs';

export const connect = (target, handlers) => connectTo(target, handlers, { pin: '2026-07-28' });
