import {html, svg} from '../lit-html.js';
import {count} from '../format.js';
import {emptyState, heading, loading, shown, table} from '../parts.js';
import {micros} from './calls.js';

const WIDTH = 600;
const HEIGHT = 120;
const RECENT = 10; // seconds of the rate that is shown as a number

export const figures = {
  id: 'figures',
  name: 'Figures',
  render(page) {
    const {data} = page;
    const rows = data.order.map(id => ({id, ...data.rows.get(id)}));
    return html`
      ${heading('Figures', 'Requests of the last five minutes, and times of each method and tool since the start.', page)}
      ${!data.known ? loading() : rows.length === 0 && !page.params.q
        ? emptyState('Nothing to count yet', 'The figures begin with the first request of a client.')
        : html`${tiles(data.summary)}${chart(data.summary)}
          ${table('Figures by method and tool', COLUMNS, rows, row => row.id)}${shown(data)}`}`;
  },
};

const sum = list => list.reduce((a, b) => a + b, 0);

function tiles({rate, failed, p50, p99}) {
  const recent = sum(rate.slice(-RECENT)) / RECENT;
  return html`<dl class="tiles">
    <div><dt>Requests a second</dt><dd>${recent < 10 ? recent.toFixed(1) : count(Math.round(recent))}</dd></div>
    <div><dt>Half are faster than</dt><dd>${micros(p50)}</dd></div>
    <div><dt>99 % are faster than</dt><dd>${micros(p99)}</dd></div>
    <div class=${sum(failed) ? 'bad' : ''}><dt>Failed in 5 minutes</dt><dd>${count(sum(failed))}</dd></div>
  </dl>`;
}

function chart({rate, failed}) {
  const most = Math.max(1, ...rate);
  return html`<figure class="chart">
    <figcaption>Requests in each second, the failed ones in red; at most ${count(Math.max(...rate, 0))}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
      aria-label=${`Requests in each second of the last five minutes: ${count(sum(rate))} in all, ${count(sum(failed))} failed`}>
      ${svg`<line x1="0" y1="0.5" x2=${WIDTH} y2="0.5"></line><line x1="0" y1=${HEIGHT / 2} x2=${WIDTH} y2=${HEIGHT / 2}></line>
        <path class="rate" d=${area(rate, most)}></path><path class="failed" d=${area(failed, most)}></path>`}
    </svg>
    <div class="axis"><span>5 min ago</span><span>now</span></div>
  </figure>`;
}

/** The steps of a bar for each second, as one path. */
function area(values, most) {
  const step = WIDTH / values.length;
  let path = `M0 ${HEIGHT}`;
  values.forEach((value, i) => {
    const y = HEIGHT - (value / most) * (HEIGHT - 4);
    path += `L${(i * step).toFixed(1)} ${y.toFixed(1)}H${((i + 1) * step).toFixed(1)}`;
  });
  return `${path}V${HEIGHT}Z`;
}

const COLUMNS = [
  {name: 'Method and name', cell: row => {
    const [method, ...name] = row.id.split(' ');
    return name.length ? html`<strong>${name.join(' ')}</strong> <span class="soft">${method}</span>` : html`<strong>${method}</strong>`;
  }},
  {name: 'Calls', number: true, cell: row => count(row.calls)},
  {name: 'Failed', number: true, cell: row => row.failures
    ? html`<span class="bad-text">${count(row.failures)} (${(100 * row.failures / row.calls).toFixed(row.failures / row.calls < .1 ? 1 : 0)} %)</span>`
    : html`<span class="none">0</span>`},
  {name: 'p50', number: true, cell: row => micros(row.p50)},
  {name: 'p99', number: true, cell: row => micros(row.p99)},
];
