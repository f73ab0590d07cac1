import {html, nothing} from '../lit-html.js';
import {age, clock, count} from '../format.js';
import {badge, emptyState, heading, loading, orDash, table} from '../parts.js';

const STATES = {
  working: ['busy', 'Working'],
  input_required: ['warn', 'Waits for input'],
  result: ['good', 'Completed'],
  failure: ['bad', 'Failed'],
  error: ['bad', 'Error'],
  cancelled: ['quiet', 'Cancelled'],
};

export const tasks = {
  id: 'tasks',
  name: 'Tasks',
  render(page) {
    const {data} = page;
    const now = page.now();
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    return html`
      ${heading('Tasks', 'Calls that outlive their request, of all callers and nodes; open ones first.', page)}
      ${!data.known ? loading() : rows.length === 0
        ? emptyState(page.params.q ? 'No task matches the filter' : 'There are no tasks',
            page.params.q ? 'It compares name, state, owner, node and message of the tasks shown.'
              : 'A tool that may run as a task appears here when a client calls it so.')
        : table('Tasks', columns(page, now), rows, row => row.id)}`;
  },
};

const opened = new Set(); // trails, by task

/** The acts on a task, the latest first. */
function trail(row) {
  return html`<details class="trail" ?open=${opened.has(row.id)} @toggle=${e => (e.target.open ? opened.add(row.id) : opened.delete(row.id))}>
    <summary>Trail <span class="soft">${row.trail.length}</span></summary>
    ${opened.has(row.id) ? html`<ol>${row.trail.map(act => html`<li><time>${clock(act.at)}</time> ${act.kind.replace('_', ' ')}
      ${act.owner !== row.owner ? html`<span class="soft">by ${act.owner}</span>` : nothing} ${act.detail ? html`<span class="soft">${act.detail}</span>` : nothing}</li>`)}</ol>` : nothing}</details>`;
}

const isOpen = row => row.state === 'working' || row.state === 'input_required';

const columns = (page, now) => [
  {name: 'Task', cell: row => html`<strong>${row.name}</strong>
    ${row.message ? html`<span class="soft line">${row.message}</span>` : nothing}
    ${row.question ? html`<span class="line">Asked: ${row.question}</span>` : nothing}
    ${row.job ? html`<span class="soft line">Waits for the job ${row.job}</span>` : nothing}
    ${row.trail.length ? trail(row) : nothing}`},
  {name: 'State', kind: 'wide', cell: state},
  {name: 'Owner', cell: row => row.owner},
  {name: 'Node', cell: row => orDash(row.node)},
  {name: 'Run', number: true, cell: row => count(row.run)},
  {name: 'Progress', number: true, cell: row => (row.progress < 0 ? orDash('') : row.progress)},
  {name: 'Age', number: true, cell: row => html`<span title=${'since ' + clock(row.created)}>${age(now - row.created)}</span>`},
  {name: 'Changed', number: true, cell: row => html`<span title=${'at ' + clock(row.updated)}>${age(now - row.updated)}</span>`},
  {name: 'Expires in', number: true, cell: row => age(row.expires - now)},
  {name: 'Act', kind: 'act', cell: row => page.operates && isOpen(row)
    ? html`<button class="small" @click=${() => page.confirm({
        title: 'Cancel this task?',
        text: `${row.name} of ${row.owner} ends as cancelled, and its handler is interrupted. Nothing undoes the work it has done.`,
        yes: 'Cancel task',
        act: 'cancel-task',
        of: row.id,
      })} aria-label=${`Cancel task ${row.name}`}>Cancel</button>`
    : nothing},
];

/** A cancelled task is Cancelling… until its handler has really ended, on whichever node. */
function state(row) {
  if (row.state === 'cancelled' && row.running) return badge('warn', 'Cancelling…');
  const [tone, text] = STATES[row.state] ?? ['quiet', row.state];
  return badge(tone, text);
}
