import {html, nothing} from '../lit-html.js';
import {bytes} from '../format.js';
import {badge, code, heading, loading, table} from '../parts.js';

export const limits = {
  id: 'limits',
  name: 'Limits',
  render(page) {
    const {data} = page;
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    return html`
      ${heading('Limits', 'The limits in force, and the shares of the heap that some of them follow.', page)}
      ${!data.known ? loading() : html`${heap(data.summary)}${table('Limits', COLUMNS, rows, row => row.id)}`}`;
  },
};

function heap({max, used, shares}) {
  return html`<section class="card" aria-labelledby="heap">
    <h2 id="heap">Heap</h2>
    <p class="soft">${bytes(used)} used of at most ${bytes(max)}. Each share is the most that its contents may take; nothing is set aside.</p>
    <ul class="shares">${shares.map(share => html`<li>
      <span>${share.contents}</span>
      <meter min="0" max="1" value=${share.bytes / max} aria-label=${share.contents}></meter>
      <span class="number">${bytes(share.bytes)}</span></li>`)}</ul>
  </section>`;
}

const BYTES = /(Body|BodySum|AnswerSum|PendingSum|Buffer|Bytes|BytesSum)$/;

const COLUMNS = [
  {name: 'Option', cell: row => code(row.id)},
  {name: 'Value', number: true, cell: row => html`${row.changed ? html`${badge('busy', 'changed')} ` : nothing}${
    BYTES.test(row.id) ? bytes(Number(row.value)) : row.value}`},
];
