// Parts that several views have.
import {html, nothing} from './lit-html.js';
import {count} from './format.js';

/** The head of a view: its name, a sentence about it, and a field that filters rows. */
export function heading(title, about, {params, set, extra}) {
  return html`<header class="heading">
    <div><h1 tabindex="-1">${title}</h1><p>${about}</p></div>
    ${extra ?? nothing}
    ${set
      ? html`<label class="filter"><span class="unseen">Filter ${title.toLowerCase()}</span>
          <input type="search" placeholder="Filter" .value=${params.q ?? ''} @input=${e => set('q', e.target.value)}
            autocomplete="off" spellcheck="false"></label>`
      : nothing}
  </header>`;
}

/** A table; each column has a name, a cell, and whether it is a number. On narrow screens rows become cards. */
export function table(caption, columns, rows, key) {
  return html`<div class="table"><table>
    <caption class="unseen">${caption}</caption>
    <thead><tr>${columns.map(c => html`<th scope="col" class=${c.number ? 'number' : ''}>${
      c.kind === 'act' ? html`<span class="unseen">${c.name}</span>` : c.name}</th>`)}</tr></thead>
    <tbody>${rows.map(row => html`<tr data-id=${key(row)}>${columns.map(c =>
      html`<td data-name=${c.name} class=${(c.number ? 'number ' : '') + (c.kind ?? '')}>${c.cell(row)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** A place without things: why it is empty, and the next step. */
export function emptyState(title, next) {
  return html`<div class="empty"><p class="empty-title">${title}</p><p>${next}</p></div>`;
}

/** Rows that arrive in a moment. */
export function loading() {
  return html`<p class="loading" aria-busy="true">Loading…</p>`;
}

/** "Showing 200 of 10,000", where not all rows are shown. */
export function shown(data) {
  return data.order.length < data.total
    ? html`<p class="shown">Showing ${count(data.order.length)} of ${count(data.total)}; the filter finds the others.</p>`
    : nothing;
}

/** A word with a colour that says how things are: good, busy, warn, bad or quiet. */
export const badge = (tone, text) => html`<span class="badge ${tone}">${text}</span>`;

/** Something that a person copies or compares: an id, an address. */
export const code = text => html`<code>${text}</code>`;

/** A value that may be missing. */
export const orDash = value => (value === '' || value == null ? html`<span class="none"><span aria-hidden="true">–</span><span class="unseen">none</span></span>` : value);
