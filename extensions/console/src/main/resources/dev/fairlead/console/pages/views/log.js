import {html, nothing} from '../lit-html.js';
import {clock} from '../format.js';
import {badge, code, emptyState, heading, loading, shown} from '../parts.js';

const TONES = {SEVERE: 'bad', WARNING: 'warn', INFO: 'quiet'};
const NAMES = {SEVERE: 'Error', WARNING: 'Warning', INFO: 'Info', CONFIG: 'Config', FINE: 'Debug', FINER: 'Trace'};

export const log = {
  id: 'log',
  name: 'Log',
  render(page) {
    const {data} = page;
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    return html`
      ${heading('Log', 'The latest records of this server, the newest first.', page)}
      ${!data.known ? loading() : rows.length === 0
        ? emptyState(page.params.q ? 'No record matches the filter' : 'Nothing was logged yet',
            html`The console reads ${code('java.util.logging')}. If your program logs by another library, read its log there.`)
        : html`<ol class="log">${rows.map(row => html`<li data-id=${row.id}>
            <time>${clock(row.time)}</time>${badge(TONES[row.level] ?? 'quiet', NAMES[row.level] ?? row.level)}
            <span class="message">${row.message}${row.thrown ? html`<span class="why">${row.thrown}</span>` : nothing}</span>
            <code>${row.logger}</code></li>`)}</ol>${shown(data)}`}`;
  },
};
