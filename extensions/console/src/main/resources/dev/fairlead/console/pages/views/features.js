import {html} from '../lit-html.js';
import {badge, code, emptyState, heading, loading, orDash, shown, table} from '../parts.js';

export const features = {
  id: 'features',
  name: 'Features',
  render(page) {
    const {data} = page;
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    const scopes = html`<label class="field">Seen with these scopes
      <input .value=${page.params.scopes ?? ''} placeholder="none: an anonymous caller" spellcheck="false" autocomplete="off"
        @input=${e => page.set('scopes', e.target.value)}></label>`;
    return html`
      ${heading('Features', 'Tools, resources and prompts, and whether the chosen caller may see and use them.', {...page, extra: scopes})}
      ${!data.known ? loading() : rows.length === 0
        ? emptyState(page.params.q ? 'No feature matches the filter' : 'This server has no features',
            page.params.q ? 'It compares kind, name and scopes.' : html`Declare one before ${code('serve(…)')}; a gateway or delegate has none of its own.`)
        : html`${table('Features', COLUMNS, rows, row => row.id)}${shown(data)}`}`;
  },
};

const COLUMNS = [
  {name: 'Name', cell: row => html`<strong>${row.name}</strong>`},
  {name: 'Kind', cell: row => row.kind},
  {name: 'Scopes', cell: row => (row.scopes.length ? row.scopes.map(scope => html`${code(scope)} `) : orDash(''))},
  {name: 'This caller', cell: row => row.admitted ? badge('good', 'May use it')
    : row.visible ? badge('warn', 'Lacks a scope') : badge('quiet', 'Does not see it')},
  {name: 'Hidden from some', cell: row => (row.hidden ? 'yes' : orDash(''))},
  {name: 'Lately', cell: row => (row.quick ? 'quick' : orDash(''))},
];
