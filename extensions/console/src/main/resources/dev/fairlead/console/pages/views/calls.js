import {html, nothing} from '../lit-html.js';
import {age, clock, duration} from '../format.js';
import {badge, code, emptyState, heading, loading, orDash, shown, table} from '../parts.js';

const GRACE = 5; // seconds until a cancelled handler counts as one that ignores its interrupt

const STATES = {
  running: ['busy', 'Running'],
  cancelling: ['warn', 'Cancelling…'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  task: ['busy', 'Became a task'],
  asked: ['quiet', 'Asked its client'],
  cancelled: ['quiet', 'Cancelled'],
  'too-late': ['warn', 'Completed before it could be cancelled'],
};

export const calls = {
  id: 'calls',
  name: 'Calls',
  render(page) {
    const {data} = page;
    const now = page.now();
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    return html`
      ${heading('Calls', 'Requests of clients: those that run, then those that failed, then the slowest.', page)}
      ${!data.known ? loading() : rows.length === 0 ? none(page) : html`
        ${table('Calls', columns(now), rows, row => row.id)}
        ${shown(data)}`}`;
  },
};

function none(page) {
  return page.params.q
    ? emptyState('No call matches the filter', 'It compares method, name, client, caller, session and state.')
    : emptyState('No client has called anything yet', html`Call a tool, for example with ${code(
        `fairlead tools call ${page.endpoint} NAME`)}. The latest calls stay here; they contain no arguments and no results.`);
}

const columns = now => [
  {name: 'Call', cell: row => html`<strong>${row.target || row.method}</strong>
    ${row.target ? html`<span class="soft">${row.method}</span>` : nothing}
    ${row.error ? html`<span class="why">${row.error}</span>` : nothing}
    ${row.progress ? progress(row.progress) : nothing}`},
  {name: 'State', kind: 'wide', cell: state},
  {name: 'Client', cell: row => orDash(row.client)},
  {name: 'Caller', cell: row => row.caller || html`<span class="soft">anonymous</span>`},
  {name: 'Began', number: true, cell: row => html`<span title=${'at ' + clock(row.began)}>${age(now - row.began)}</span>`},
  {name: 'Duration', number: true, cell: row => row.micros < 0 ? duration(Math.max(0, now - row.began)) : micros(row.micros)},
  {name: 'Session', cell: row => row.session ? code(row.session) : html`<span class="soft">${row.transport}</span>`},
];

function state(row) {
  const [tone, text] = STATES[row.state] ?? ['quiet', row.state];
  return html`${badge(tone, text)}${row.state === 'cancelling' && row.cancelling >= GRACE
    ? html` <span class="why">The handler ignores its interrupt</span>` : nothing}`;
}

function progress({done, of, message}) {
  return html`<span class="progress">${of > 0 ? html`<progress max=${of} value=${done} aria-label="Progress"></progress>` : nothing}
    <span class="soft">${of > 0 ? `${done} of ${of}` : done}${message ? ` · ${message}` : ''}</span></span>`;
}

export const micros = n => (n < 1000 ? `${n} µs` : n < 10_000 ? `${(n / 1000).toFixed(1)} ms` : duration(n / 1000));
