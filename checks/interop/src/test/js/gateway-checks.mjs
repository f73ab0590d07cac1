// The checks that a gateway passes, whatever the revisions of its client and of the server behind it.
import assert from 'node:assert/strict';
import { textOf } from './checks.mjs';

const PASSED = [
  'tools are listed with their schemas',
  'every kind of content arrives',
  'structured content passes the check against its schema',
  'a long text with any character comes back unchanged',
  'failures of a tool are results, an unknown tool is an error',
  'a cancelled call stops at the server',
  'a model is asked',
  'a person is asked by a form',
  'forms carry defaults and choices of every form',
  'resources are read',
  'prompts are listed and got',
  'arguments are completed',
];

/** Checks by their names: those that are passed in every pair, and more of one kind of client. */
export const behindGateway = (checks, more) =>
  Object.fromEntries(
    [...PASSED, ...Object.keys(questions), ...more].map((name) => {
      assert.ok(checks[name], `unknown check: ${name}`);
      return [name, checks[name]];
    }),
  );

/** Calls that report and ask, whose answers reach the server by requests or in rounds. */
export const questions = {
  'progress arrives step by step while the call runs': async ({ peer }) => {
    const steps = [];
    const abort = new AbortController();
    const onprogress = ({ progress, total }) => {
      steps.push(`${progress}/${total}`);
      if (steps.length === 3) abort.abort('enough');
    };
    await assert.rejects(
      peer.callTool(
        { name: 'interop_slow', arguments: { ms: 600_000, steps: 10_000 } },
        { signal: abort.signal, onprogress },
      ),
    );
    assert.deepEqual(steps.slice(0, 3), ['1/10000', '2/10000', '3/10000']);
    const stats = async () => (await peer.callTool({ name: 'interop_stats' })).structuredContent.slow;
    while ((await stats()).running > 0); // the checks that count such calls see no other
  },

  'two questions follow one another': async ({ peer, handlers }) => {
    const answers = { 'First?': { a: 'one' }, 'Second?': { b: 'two' } };
    handlers.elicit = ({ message }) => ({ action: 'accept', content: answers[message] });
    const { structuredContent } = await peer.callTool({ name: 'interop_rounds' });
    assert.deepEqual([structuredContent.a, structuredContent.b], ['one', 'two']);
  },

  'a declined question fails the tool': async ({ peer, handlers }) => {
    handlers.elicit = () => ({ action: 'decline' });
    const result = await peer.callTool({ name: 'test_input_required_result_elicitation' });
    assert.equal(result.isError, true);
    assert.ok(textOf(result));
  },
};
