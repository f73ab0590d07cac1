// The second generation of the TypeScript SDK, of revision 2026-07-28 only, with a gateway that has the
// showcase behind it.
import { behindGateway, questions } from './gateway-checks.mjs';
import * as perRequest from './per-request.mjs';

export { connect } from './sdk2-pinned.mjs';

export const checks = behindGateway({ ...perRequest.checks, ...questions }, [
  'roots are asked for',
  'a person is sent to a page',
  'a stream carries what was asked for only',
]);
