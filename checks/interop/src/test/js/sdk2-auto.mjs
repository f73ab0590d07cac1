// The second generation of the TypeScript SDK, which asks the server for its revisions first.
import { connect as connectTo } from './sdk2.mjs';

export { checks } from './per-request.mjs';

export const connect = (target, handlers) => connectTo(target, handlers, 'auto');
