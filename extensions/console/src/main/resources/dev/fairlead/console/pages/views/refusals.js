import {html} from '../lit-html.js';
import {age, clock, count} from '../format.js';
import {code, emptyState, heading, loading, orDash, table} from '../parts.js';

export const refusals = {
  id: 'refusals',
  name: 'Refusals',
  render(page) {
    const {data} = page;
    const now = page.now();
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    return html`
      ${heading('Refusals', 'Requests that were refused before a handler saw them, by reason, the latest first.', page)}
      ${!data.known ? loading() : rows.length === 0
        ? emptyState(page.params.q ? 'No reason matches the filter' : 'No request was refused',
            page.params.q ? 'It compares the names of the reasons.' : 'Wrong paths, missing tokens and reached limits appear here, with the option to change.')
        : table('Refusals', columns(now), rows, row => row.id)}`;
  },
};

const columns = now => [
  {name: 'Reason', cell: row => html`<strong>${row.id.replaceAll('_', ' ')}</strong>`},
  {name: 'Status', cell: row => (row.status ? code(row.status) : orDash(''))},
  {name: 'Count', number: true, cell: row => count(row.count)},
  {name: 'Last', number: true, cell: row => html`<span title=${'at ' + clock(row.last)}>${age(now - row.last)}</span>`},
  {name: 'To change it', kind: 'wide', cell: row => orDash(row.remedy)},
];
