import {html} from '../lit-html.js';
import {age, clock, count} from '../format.js';
import {badge, code, emptyState, heading, loading, shown, table} from '../parts.js';

export const streams = {
  id: 'streams',
  name: 'Streams',
  render(page) {
    const {data} = page;
    const now = page.now();
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    return html`
      ${heading('Streams', 'Streams of events that clients open to receive messages, those with waiting events first.', page)}
      ${!data.known ? loading() : rows.length === 0
        ? emptyState(page.params.q ? 'No stream matches the filter' : 'No client has opened a stream',
            page.params.q ? 'It compares session, client and kind.'
              : 'A client with a session opens one by GET. A call has its events in its own response.')
        : html`${table('Streams', columns(now), rows, row => row.id)}${shown(data)}`}`;
  },
};

const columns = now => [
  {name: 'Client', cell: row => html`<strong>${row.client || 'not named yet'}</strong>`},
  {name: 'Session', cell: row => code(row.session)},
  {name: 'Kind', cell: row => row.kind},
  {name: 'State', kind: 'wide', cell: row => (row.connected ? badge('good', 'Connected')
    : row.resumable ? badge('warn', 'Its client may return') : badge('quiet', 'Left'))},
  {name: 'Age', number: true, cell: row => html`<span title=${'since ' + clock(row.begun)}>${age(now - row.begun)}</span>`},
  {name: 'Sent', number: true, cell: row => count(row.sent)},
  {name: 'Waiting', number: true, cell: row => (row.waiting ? count(row.waiting) : html`<span class="none">0</span>`)},
  {name: 'Kept', cell: row => (row.resumable ? 'in the store' : html`<span class="none">no</span>`)},
];
