// Trying a server: its tools, resources and prompts, with the answers to its questions.
import {html, nothing} from '../lit-html.js';
import {app} from '../apps.js';
import {Bench} from '../bench.js';
import {content, plain, printable, resource, toolResult, tree} from '../content.js';
import {copies} from '../copies.js';
import {clock, count, duration} from '../format.js';
import {badge, code, emptyState, loading} from '../parts.js';
import {questions} from '../questions.js';
import {Form} from '../schema.js';

const MAX_PAGES = 50; // of one list
const IGNORING = 5000; // milliseconds after which a handler seems to ignore its cancellation

const KINDS = {
  tools: {name: 'Tools', one: 'tool', method: 'tools/list', capability: 'tools'},
  resources: {name: 'Resources', one: 'resource', method: 'resources/list', capability: 'resources'},
  templates: {name: 'Templates', one: 'template', method: 'resources/templates/list', member: 'resourceTemplates', capability: 'resources'},
  prompts: {name: 'Prompts', one: 'prompt', method: 'prompts/list', capability: 'prompts'},
};

let bench = null;
let draw = () => {};
let target = {};
let kind = 'tools';
let filter = '';
let chosen = null; // {kind, key, item, form, call, raw, rawText, rawWrong, task, shown, watching}
const chosenBefore = new Map(); // by kind and key: what was typed stays
const lists = Object.fromEntries(Object.keys(KINDS).map(id => [id, {items: null, problem: '', reading: false}]));
const completions = new Map();
let copied = '';

export const workbench = {
  status: () => (!bench || bench.state !== 'live' ? ['quiet', 'Connecting']
    : bench.serverState === 'connected' ? ['good', 'Connected']
    : bench.serverState === 'idle' ? ['quiet', 'Idle']
    : bench.serverState === 'connecting' ? ['busy', 'Connecting'] : ['bad', 'Not connected']),
  /** Forgets everything, since the person has logged out. */
  leave() {
    bench?.close();
    bench = null;
    chosen = null;
    chosenBefore.clear();
    for (const list of Object.values(lists)) list.items = null;
  },
  render(page) {
    draw = page.draw;
    target = page.target;
    bench ??= new Bench(page.post, () => draw(), reload, page.identify);
    return html`
      ${head()}
      ${bench.server ? body() : bench.serverState === 'disconnected' ? nothing : connecting()}
      ${bench.log.length ? log() : nothing}`;
  },
};

// ---- lists

function reload(list) {
  for (const id of Object.keys(KINDS)) {
    if (list === 'all' || list === id || (list === 'resources' && id === 'templates')) read(id);
  }
}

async function read(id) {
  const {method, member = id, capability} = KINDS[id];
  const list = lists[id];
  if (!bench.server?.capabilities?.[capability]) { list.items = []; return; }
  if (list.reading) { list.again = true; return; }
  list.reading = true;
  try {
    const items = [];
    let cursor;
    for (let i = 0; i < MAX_PAGES; i++) {
      const result = await bench.ask(method, cursor === undefined ? {} : {cursor});
      if (Array.isArray(result[member])) items.push(...result[member].filter(item => typeof item === 'object' && item));
      cursor = result.nextCursor;
      if (typeof cursor !== 'string') break;
    }
    list.items = items;
    list.problem = '';
    if (chosen?.kind === id) { // its definition may have changed
      const now = items.find(item => keyOf(id, item) === chosen.key);
      if (now) { chosen.item = now; if (chosen.form) chosen.form.schema = schemaOf(id, now); }
    } else if (!chosen && id === kind && items.length && matchMedia('(min-width: 900px)').matches) choose(id, items[0]);
  } catch (e) {
    list.problem = e.message;
    list.items ??= [];
  }
  list.reading = false;
  draw();
  if (list.again) { list.again = false; read(id); }
}

const keyOf = (id, item) => String(item[id === 'resources' ? 'uri' : id === 'templates' ? 'uriTemplate' : 'name']);

/** The arguments of a thing as the schema of an object. */
function schemaOf(id, item) {
  if (id === 'tools') return item.inputSchema;
  if (id === 'prompts') {
    const args = Array.isArray(item.arguments) ? item.arguments : [];
    return {type: 'object', required: args.filter(a => a.required).map(a => a.name),
      properties: Object.fromEntries(args.map(a => [a.name, {type: 'string', title: a.title, description: a.description}]))};
  }
  if (id === 'templates') {
    const names = [...String(item.uriTemplate).matchAll(/\{[+#./;?&]?([^}]*)\}/g)].flatMap(m => m[1].split(',').map(n => n.replace(/[*]|:\d+/g, '')));
    return {type: 'object', required: names, properties: Object.fromEntries(names.map(n => [n, {type: 'string'}]))};
  }
  return {type: 'object'};
}

function choose(id, item) {
  const key = keyOf(id, item);
  const before = chosenBefore.get(id + ' ' + key);
  kind = id;
  chosen = before ?? {kind: id, key, item, call: null, raw: false, rawText: '', rawWrong: '', task: false, showRaw: false, watching: false};
  chosen.item = item;
  chosen.form ??= new Form(schemaOf(id, item), () => draw());
  chosen.task = id === 'tools' && item.execution?.taskSupport === 'required' ? true : chosen.task;
  chosenBefore.set(id + ' ' + key, chosen);
  copied = '';
  draw();
}

// ---- the head

function head() {
  const about = bench.server;
  const server = about?.server;
  return html`<header class="heading">
    <div><h1 tabindex="-1">Try ${printable(server?.title || server?.name || target.label)}</h1>
      <p>${server ? html`${printable(server.name)} ${printable(server.version)} · revision ${about.revision} · ` : nothing}${code(target.url || target.words?.join(' ') || '')}</p></div>
    </header>
    ${bench.restart ? restarted(bench.restart) : nothing}
    ${questions(bench, draw)}
    ${bench.serverState === 'disconnected' ? html`<div class="notice bad" role="alert"><div><strong>The server is not connected.</strong> <span>${printable(bench.problem)}</span></div>
      <button @click=${() => bench.connect(true)}>Connect again</button></div>
      ${target.token ? html`<form class="panel token" autocomplete="off" @submit=${e => {
          e.preventDefault();
          bench.authorize(e.target.elements.access.value);
          e.target.reset();
        }}><label for="access">Access token of the server</label>
        <p class="soft">Calls are made as its caller. It is kept in memory, as long as this page is open.</p>
        <div class="row"><input id="access" name="access" type="password" required><button class="primary">Connect</button></div></form>` : nothing}` : nothing}
    ${about?.instructions ? html`<details class="instructions"><summary>Instructions of the server for the model</summary>${plain(about.instructions)}</details>` : nothing}`;
}

/** The latest start of the server in the place of the one before, or the reason why it did not start. */
const restarted = ({at, message, succeeded}) => html`<div class="notice ${succeeded ? 'good' : 'bad'} restarted" role="status">
  <div><strong>${clock(at)}</strong> <span>${printable(message)}</span></div>
  <button @click=${() => { bench.restart = null; draw(); }}>Dismiss</button></div>`;

const connecting = () => html`${loading()}
  ${bench.serverState === 'connecting' && bench.state === 'live' ? html`<button @click=${() => bench.connect(false)}>Cancel</button>` : nothing}`;

// ---- the parts

function body() {
  return html`<div class="try ${chosen ? 'has-chosen' : ''}">
    <aside class="picker" aria-label="Things of the server">
      <div class="kinds" role="group" aria-label="Kind">${Object.entries(KINDS).filter(([id]) => id === 'tools' || lists[id].items?.length).map(([id, {name}]) => html`
        <button aria-pressed=${id === kind} @click=${() => { kind = id; draw(); }}>${name} <span class="soft">${lists[id].items ? count(lists[id].items.length) : ''}</span></button>`)}</div>
      <label class="filter"><span class="unseen">Filter ${KINDS[kind].name.toLowerCase()}</span>
        <input type="search" placeholder="Filter" .value=${filter} @input=${e => { filter = e.target.value; draw(); }} autocomplete="off" spellcheck="false"></label>
      ${list()}
    </aside>
    <section class="detail" aria-label="Call">${chosen ? detail() : lists[kind].items?.length ? emptyState(`Choose a ${KINDS[kind].one}`, 'Its form appears here.') : nothing}</section>
  </div>`;
}

function list() {
  const {items, problem} = lists[kind];
  if (problem) return html`<p class="wrong">${printable(problem)}</p>`;
  if (!items) return loading();
  if (!items.length) return emptyState(`The server has no ${KINDS[kind].name.toLowerCase()}`, '');
  const wanted = filter.trim().toLowerCase();
  const shown = items.filter(item => !wanted || [item.name, item.title, item.description, item.uri, item.uriTemplate].some(t => String(t ?? '').toLowerCase().includes(wanted)));
  return html`<ul class="things">${shown.slice(0, 300).map(item => {
    const key = keyOf(kind, item);
    return html`<li><button aria-current=${chosen?.kind === kind && chosen.key === key} @click=${() => choose(kind, item)}>
      <strong>${printable(item.title || item.annotations?.title || item.name)}</strong>
      <span>${printable(kind === 'tools' || kind === 'prompts' ? item.description ?? '' : key)}</span></button></li>`;
  })}</ul>${shown.length > 300 ? html`<p class="soft">and ${count(shown.length - 300)} more; the filter finds them</p>` : nothing}
  ${!shown.length ? html`<p class="soft">Nothing matches the filter.</p>` : nothing}`;
}

function detail() {
  const {item, form, call} = chosen;
  const title = item.title || item.annotations?.title || item.name;
  return html`
    <button class="quiet back" @click=${() => { chosen = null; draw(); }}>‹ All ${KINDS[kind].name.toLowerCase()}</button>
    <div class="panel"><header class="what"><div><h2>${printable(title)}</h2> ${title !== chosen.key ? code(printable(chosen.key)) : nothing}</div>
      <div class="badges">${chosen.kind === 'tools' ? hintsOf(item) : nothing}</div></header>
      ${item.description ? html`<p class="description">${printable(item.description)}</p>` : nothing}
      <form @submit=${e => { e.preventDefault(); run(); }} novalidate autocomplete="off">
        ${Object.keys(form.schema?.properties ?? {}).length || chosen.kind === 'tools' ? argumentsOf() : nothing}
        <div class="run">
          <button class="primary" aria-disabled=${call && !call.ended ? 'true' : nothing}>${chosen.kind === 'tools' ? 'Call' : chosen.kind === 'prompts' ? 'Get' : 'Read'}</button>
          ${call && !call.ended ? html`<button type="button" class="danger" aria-disabled=${call.cancelling ? 'true' : nothing} @click=${() => bench.cancel(call)}>${call.cancelling ? 'Cancelling…' : 'Cancel'}</button>` : nothing}
          ${chosen.kind === 'tools' ? asTask(item) : nothing}
          ${chosen.kind === 'resources' && bench.server.capabilities.resources?.subscribe ? html`<label class="check"><input type="checkbox" .checked=${chosen.watching} @change=${e => watch(e.target.checked)}> <span>Read again when it changes</span></label>` : nothing}
          <span class="grow"></span>${copyButtons()}
        </div>
        ${copied ? html`<div class="copied">${plain(copied)}</div>` : nothing}
      </form>
    </div>
    ${call ? outcome(call) : nothing}
    ${history()}`;
}

function hintsOf({annotations: a = {}, execution}) {
  return html`${a?.readOnlyHint ? badge('good', 'reads only') : nothing} ${a?.destructiveHint && !a?.readOnlyHint ? badge('warn', 'destructive') : nothing}
    ${a?.idempotentHint ? badge('quiet', 'idempotent') : nothing} ${execution?.taskSupport === 'required' ? badge('busy', 'task only') : nothing}`;
}

function argumentsOf() {
  const {form} = chosen;
  const none = !Object.keys(form.schema?.properties ?? {}).length;
  if (none && !chosen.raw && form.schema?.additionalProperties === false) return html`<p class="soft">It takes no arguments.</p>`;
  return html`<div class="modes" role="group" aria-label="How to enter the arguments">
      <button type="button" aria-pressed=${!chosen.raw} @click=${() => { chosen.raw = false; draw(); }}>Form</button>
      <button type="button" aria-pressed=${chosen.raw} @click=${() => { chosen.raw = true; chosen.rawText = JSON.stringify(form.value, null, 2); chosen.rawWrong = ''; draw(); }}>JSON</button></div>
    ${chosen.raw ? html`<label class="unseen" for="raw">Arguments as JSON</label>
      <textarea id="raw" class="mono" rows=${Math.min(20, Math.max(5, chosen.rawText.split('\n').length))} spellcheck="false" .value=${chosen.rawText} @input=${e => typedRaw(e.target.value)}></textarea>
      ${chosen.rawWrong ? html`<p class="wrong" role="alert">${chosen.rawWrong}</p>` : nothing}`
    : html`<div class="fields" @input=${e => complete(e.target)}>${form.render()}${completionList()}
      ${none ? html`<p class="soft">It takes no arguments.</p>` : nothing}</div>`}`;
}

function typedRaw(text) {
  chosen.rawText = text;
  try {
    const value = text.trim() ? JSON.parse(text) : {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('The arguments are an object: { … }');
    chosen.rawWrong = '';
    chosen.form.replace(value);
  } catch (e) {
    chosen.rawWrong = e.message;
    draw();
  }
}

// ---- calls

function request() {
  const {kind: id, key, form, item} = chosen;
  switch (id) {
    case 'tools': return {method: 'tools/call', params: {name: key, arguments: form.value}};
    case 'prompts': return {method: 'prompts/get', params: {name: key, arguments: Object.fromEntries(Object.entries(form.value).map(([n, v]) => [n, String(v)]))}};
    case 'templates': return {method: 'resources/read', params: {uri: expand(item.uriTemplate, form.value)}};
    default: return {method: 'resources/read', params: {uri: key}};
  }
}

/** The URI of a template of RFC 6570, for the simple operators. */
function expand(template, values) {
  return template.replace(/\{([+#./;?&]?)([^}]*)\}/g, (_, operator, names) => {
    const given = names.split(',').map(n => n.replace(/[*]|:\d+/g, '')).filter(n => values[n] !== undefined)
      .map(n => [n, operator === '+' || operator === '#' ? encodeURI(values[n]) : encodeURIComponent(values[n])]);
    if (!given.length) return '';
    const named = operator === '?' || operator === '&' || operator === ';';
    const parts = given.map(([n, v]) => (named ? `${n}=${v}` : v));
    const separator = {'': ',', '+': ',', '#': ',', '?': '&', '&': '&', ';': ';', '.': '.', '/': '/'}[operator];
    return (operator === '+' ? '' : operator) + parts.join(separator);
  });
}

function run() {
  if (chosen.call && !chosen.call.ended) return;
  if (chosen.raw && chosen.rawWrong) return;
  const {method, params} = request();
  start(method, structuredClone(params), chosen.kind === 'tools' && chosen.task);
}

function start(method, params, task) {
  const place = chosen;
  place.form.errors.clear();
  const call = bench.start(method, params, {task, title: place.item.title || place.key});
  call.place = place;
  place.call = call;
  call.done.then(() => {
    const text = call.message ?? (call.result?.isError ? (call.result.content ?? []).map(b => b.text ?? '').join('\n') : '');
    if (text) place.form.place(text);
    draw();
  });
  draw();
}

async function watch(wanted) {
  const place = chosen;
  const problem = await bench.watch(place.key, wanted);
  place.watching = wanted && !problem;
  if (problem) place.call = {state: 'failed', message: problem, started: Date.now(), ended: Date.now(), method: 'resources/subscribe', params: {}};
  draw();
}

/** Reads watched resources that changed. */
function follow() {
  for (const uri of bench.updated) {
    bench.updated.delete(uri);
    const place = chosenBefore.get('resources ' + uri);
    if (place?.watching && place === chosen && (!place.call || place.call.ended)) queueMicrotask(() => start('resources/read', {uri}, false));
  }
}

function outcome(call) {
  follow();
  const took = (call.ended ?? Date.now()) - call.started;
  return html`<section class="panel outcome" aria-label="Result" aria-live="polite">
    <header><h2>Result</h2>${stateOf(call)} <span class="soft time">${duration(took)}</span>
      <span class="grow"></span>
      ${call.result ? html`<button class="quiet small" aria-pressed=${chosen.showRaw} @click=${() => { chosen.showRaw = !chosen.showRaw; draw(); }}>${chosen.showRaw ? 'Formatted' : 'Raw JSON'}</button>` : nothing}</header>
    ${call.ended ? nothing : progress(call)}
    ${call.note ? html`<p class="wrong">${printable(call.note)}</p>` : nothing}
    ${call.cut ? html`<p class="cut">Cut at ${count(call.cut)} KiB: the server sent more.</p>` : nothing}
    ${call.state === 'failed' ? html`<p class="failure">${printable(call.message)}${call.code !== undefined ? html` <code>${call.code}</code>` : nothing}</p>
      ${call.data !== undefined ? tree(call.data) : nothing}` : nothing}
    ${call.result ? (chosen.showRaw ? html`<p class="soft frame">Request</p>${plain(JSON.stringify({method: call.method, params: call.params}, null, 2))}<p class="soft frame">Result</p>${plain(JSON.stringify(call.result, null, 2))}` : resultOf(call)) : nothing}
    ${call.frames?.length ? framesOf(call) : nothing}
  </section>`;
}

/** The messages of a call in their order; secrets are masked before they reach the page. */
function framesOf(call) {
  return html`<details class="frames"><summary>Messages <span class="soft">${count(call.frames.length)}</span></summary>
    <ol>${call.frames.map(frame => html`<li><p class="soft"><span class=${frame.sent ? 'sent' : 'received'}>${frame.sent ? '→ sent' : '← received'}</span>
      ${clock(frame.at)} · +${duration(Math.max(0, frame.at - call.frames[0].at))} · ${count(frame.chars)} characters</p>${plain(indented(frame.text))}</li>`)}</ol></details>`;
}

function indented(text) {
  try { return JSON.stringify(JSON.parse(text), null, 1); } catch { return text; }
}

function stateOf(call) {
  if (!call.ended) return call.cancelling ? badge('warn', 'Cancelling…') : badge('busy', 'Running');
  if (call.state === 'cancelled') return badge('warn', 'Cancelled');
  const late = call.cancelling ? html` ${badge('quiet', 'Completed before it could be cancelled')}` : nothing;
  if (call.state === 'failed') return html`${badge('bad', 'Failed')}${late}`;
  return html`${call.result?.isError ? badge('bad', 'The tool reports an error') : badge('good', 'Completed')}${late}`;
}

function progress(call) {
  const p = call.progress;
  return html`<div class="advance">
    ${p?.total > 0 ? html`<progress max=${p.total} value=${Math.min(p.progress, p.total)} aria-label="Progress"></progress>` : html`<progress aria-label="Progress"></progress>`}
    <p class="soft">${p ? html`${p.total > 0 ? `${count(p.progress)} of ${count(p.total)}` : count(p.progress)}${p.message ? ` · ${printable(p.message)}` : ''}` : nothing}
      ${call.task ? html`${p ? ' · ' : ''}Task ${code(call.task.task)} is ${call.task.status} ${printable(call.task.message)}` : nothing}
      ${call.cancelling && Date.now() - call.cancelledAt > IGNORING ? 'The handler ignores its cancellation so far.' : nothing}</p></div>`;
}

function resultOf(call) {
  const {method, result} = call;
  const page = {read: uri => { choose('resources', {uri, name: uri}); run(); }};
  if (method === 'tools/call') return html`${app(call, chosen.item, bench, () => lists.tools.items ?? [], () => draw())}${toolResult(result, page)}`;
  if (method === 'resources/read') return (result.contents ?? []).map(one => resource(one, page));
  if (method === 'prompts/get') {
    return html`${result.description ? html`<p class="soft">${printable(result.description)}</p>` : nothing}
      ${(result.messages ?? []).map(m => html`<div class="turn"><p class="soft">${printable(m.role)}</p>${content(m.content, page)}</div>`)}`;
  }
  return tree(result);
}

function asTask({execution}) {
  const support = execution?.taskSupport;
  const per = bench.server.capabilities.extensions?.['io.modelcontextprotocol/tasks'];
  if (support !== 'optional' && support !== 'required' && !per) return nothing;
  return html`<label class="check"><input type="checkbox" .checked=${chosen.task} ?disabled=${support === 'required'} @change=${e => { chosen.task = e.target.checked; draw(); }}> <span>As a task</span></label>`;
}

// ---- completion of arguments of prompts and templates

let completing = 0;

function complete(input) {
  const {kind: id, key, form} = chosen;
  if ((id !== 'prompts' && id !== 'templates') || !bench.server.capabilities.completions || !input.id.startsWith('f-')) return;
  input.setAttribute('list', 'completions');
  clearTimeout(completing);
  completing = setTimeout(async () => {
    const name = input.id.slice(2);
    const others = Object.fromEntries(Object.entries(form.value).filter(([n, v]) => n !== name && v !== undefined).map(([n, v]) => [n, String(v)]));
    try {
      const result = await bench.ask('completion/complete', {ref: id === 'prompts' ? {type: 'ref/prompt', name: key} : {type: 'ref/resource', uri: key},
        argument: {name, value: input.value}, context: {arguments: others}});
      completions.set(id + key, result.completion?.values ?? []);
      draw();
    } catch { /* no help is no failure */ }
  }, 150);
}

const completionList = () => html`<datalist id="completions">${(completions.get(chosen.kind + chosen.key) ?? []).map(value => html`<option value=${value}></option>`)}</datalist>`;

// ---- copies, history, log

function copyButtons() {
  return html`<span class="copies"><span class="soft">Copy as</span>${Object.entries(copies(target, bench.server)).map(([name, of]) => html`
    <button type="button" class="quiet small" @click=${async () => {
      copied = of(request(), chosen.call?.result);
      try { await navigator.clipboard.writeText(copied); } catch { /* it is shown, to be copied by hand */ }
      draw();
    }}>${name}</button>`)}</span>`;
}

function history() {
  if (!bench.history.length) return nothing;
  return html`<details class="panel history" ?open=${bench.history.length < 6}><summary><h2>History</h2></summary><ul>${bench.history.map(call => html`<li>
    <button class="open" @click=${() => reopen(call)}><strong>${printable(call.title)}</strong> <code>${printable(JSON.stringify(call.params.arguments ?? call.params).slice(0, 120))}</code></button>
    ${stateOf(call)} <span class="soft">${clock(call.started)}</span>
    <button class="small" @click=${() => { reopen(call); run(); }}>Run again</button></li>`)}</ul></details>`;
}

function reopen(call) {
  if (!call.place) return;
  choose(call.place.kind, call.place.item);
  chosen.raw = false;
  chosen.call = call.ended && chosen.call && !chosen.call.ended ? chosen.call : call;
  if (call.params.arguments) chosen.form.replace(structuredClone(call.params.arguments));
}

function log() {
  return html`<details class="panel lines"><summary><h2>Messages of the server</h2> <span class="soft">${count(bench.log.length)}</span></summary>
    <ol>${bench.log.slice(-100).reverse().map(line => html`<li><span class="soft">${clock(line.at)}</span> ${line.level ? badge(/error|critical|alert|emergency/i.test(line.level) ? 'bad' : /warning/i.test(line.level) ? 'warn' : 'quiet', line.level) : nothing}
      <span class="soft">${printable(line.logger)}</span> <span>${printable(line.text)}</span></li>`)}</ol></details>`;
}
