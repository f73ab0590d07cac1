// The second generation of the TypeScript SDK in a session with a gateway that has the showcase behind it.
import * as common from './checks.mjs';
import { behindGateway, questions } from './gateway-checks.mjs';

export { connect } from './sdk2.mjs';

export const checks = behindGateway({ ...common.checks, ...questions }, [
  'roots are asked for',
  'a watched resource is heard of',
]);
