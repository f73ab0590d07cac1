import {html, nothing} from '../lit-html.js';
import {age, clock, count} from '../format.js';
import {code, emptyState, heading, loading, orDash, shown, table} from '../parts.js';

export const sessions = {
  id: 'sessions',
  name: 'Sessions',
  render(page) {
    const {data} = page;
    const now = page.now();
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    return html`
      ${heading('Sessions', 'Clients that have opened a session here, the latest used first.', page)}
      ${!data.known ? loading() : rows.length === 0 ? none(page) : html`
        ${table('Sessions', columns(page, now), rows, row => row.id)}
        ${shown(data)}`}`;
  },
};

function none(page) {
  return page.params.q
    ? emptyState('No session matches the filter', 'It compares the name, client, address and caller of each session.')
    : emptyState('No client has a session', html`Connect one, for example with ${code(
        `fairlead tools list ${page.endpoint}`)}. Clients of revision 2026-07-28 have no sessions.`);
}

const columns = (page, now) => [
  {name: 'Client', cell: row => html`<strong>${row.client || 'not named yet'}</strong> <span class="soft">${row.version}</span>`},
  {name: 'Revision', cell: row => orDash(row.revision)},
  {name: 'From', cell: row => html`${row.address ? code(row.address) : orDash('')}${row.transport === 'sse' ? html` <span class="soft">HTTP+SSE</span>` : nothing}`},
  {name: 'Caller', cell: row => row.caller || html`<span class="soft">anonymous</span>`},
  {name: 'Age', number: true, cell: row => html`<span title=${'since ' + clock(row.opened)}>${age(now - row.opened)}</span>`},
  {name: 'Last use', number: true, cell: row => html`<span title=${'at ' + clock(row.used)}>${age(now - row.used)}</span>`},
  {name: 'Streams', number: true, cell: row => quiet(row.streams)},
  {name: 'Under way', number: true, cell: row => quiet(row.requests)},
  {name: 'Waiting', number: true, cell: row => quiet(row.waiting)},
  {name: 'Dropped', number: true, cell: row => quiet(row.dropped)},
  {name: 'Session', cell: row => code(row.id)},
  {name: 'Act', kind: 'act', cell: row => page.operates
    ? html`<button class="small" @click=${() => page.confirm({
        title: 'End this session?',
        text: `The calls of ${row.client || 'this client'} under way are interrupted. Clients start a new session by themselves.`,
        yes: 'End session',
        act: 'end-session',
        of: row.id,
      })} aria-label=${`End session ${row.id}`}>End</button>`
    : nothing},
];

const quiet = n => (n ? count(n) : html`<span class="none">0</span>`);
