// Pages of MCP Apps. Each runs in a frame with an origin of its own and without network, and sends messages to this page.
import {html, nothing} from './lit-html.js';
import {plain, printable} from './content.js';

const TYPE = 'text/html;profile=mcp-app';
const PROTOCOL = '2026-01-26';
const HIGHEST = 1200;

const apps = new Map(); // by the id of their frame

addEventListener('message', event => {
  const frame = [...document.querySelectorAll('iframe.app')].find(one => one.contentWindow === event.source);
  const app = frame && apps.get(frame.id);
  if (app && typeof event.data === 'object' && event.data?.jsonrpc === '2.0') app.take(event.data, frame);
});

/** The URI of the page that shows the results of a tool; empty for none. */
export const pageOf = tool => {
  const uri = tool?._meta?.ui?.resourceUri ?? tool?._meta?.['ui/resourceUri'];
  return typeof uri === 'string' && uri.startsWith('ui://') ? uri : '';
};

/** The page of a call that has ended; tools are those of the server. */
export function app(call, tool, bench, tools, draw) {
  const uri = pageOf(tool);
  if (!uri || call.state !== 'done') return nothing;
  call.app ??= new App(call, tool, uri, bench, tools, draw);
  const {id, problem, link, height} = call.app;
  return html`<section class="page" aria-label="Page of the server">
    ${problem ? html`<p class="wrong">${printable(problem)}</p>` : html`<iframe class="app" id=${id} src="sandbox.html" sandbox="allow-scripts" height=${height}
      title=${'Page of ' + printable(tool.title || tool.name)}></iframe>`}
    ${link ? html`<div class="link" role="alert"><p>The page asks to open this link:</p>${plain(link.url)}
      <div class="run"><a class="button primary" href=${link.url} target="_blank" rel="noopener noreferrer" @click=${() => call.app.answerLink(true)}>Open the link</a>
      <button type="button" class="quiet" @click=${() => call.app.answerLink(false)}>Decline</button></div></div>` : nothing}
  </section>`;
}

class App {
  problem = '';
  link = null;
  height = 240;
  #frame = null;
  #loaded = null;

  constructor(call, tool, uri, bench, tools, draw) {
    Object.assign(this, {call, tool, uri, bench, tools, draw});
    this.id = 'app-' + call.id;
    apps.set(this.id, this);
  }

  async take(message, frame) {
    this.#frame = frame;
    const {id, method, params = {}} = message;
    if (method === 'ui/notifications/sandbox-proxy-ready') return this.#load();
    if (id === undefined) return this.#notified(method, params);
    if (typeof method !== 'string') return undefined; // an answer
    try {
      this.#post({id, result: await this.#result(method, params)});
    } catch (e) {
      this.#post({id, error: {code: e.code ?? -32000, message: e.message}});
    }
    return undefined;
  }

  #post(message) {
    this.#frame?.contentWindow?.postMessage({jsonrpc: '2.0', ...message}, '*'); // its origin is opaque
  }

  /** Gives the page to its frame, also to one that was made anew. */
  async #load() {
    this.#loaded ??= this.#read();
    const page = await this.#loaded;
    if (page === null) return this.draw();
    this.#post({method: 'ui/notifications/sandbox-resource-ready', params: {html: page}});
    return undefined;
  }

  async #read() {
    const read = await this.bench.start('resources/read', {uri: this.uri}, {listed: false}).done;
    const contents = read.result?.contents?.find(one => one.uri === this.uri) ?? read.result?.contents?.[0];
    if (!contents) this.problem = `The page ${this.uri} cannot be read: ${read.message ?? 'it has no contents'}`;
    else if (contents.mimeType !== TYPE) this.problem = `The page ${this.uri} has the type ${contents.mimeType}, not ${TYPE}.`;
    else if (read.cut) this.problem = `The page ${this.uri} is larger than ${read.cut} KiB, and is not shown.`;
    if (this.problem) return null;
    return contents.text ?? new TextDecoder().decode(Uint8Array.from(atob(contents.blob ?? ''), c => c.charCodeAt(0)));
  }

  #notified(method, params) {
    switch (method) {
      case 'ui/notifications/initialized':
        this.#post({method: 'ui/notifications/tool-input', params: {arguments: this.call.params.arguments ?? {}}});
        this.#post({method: 'ui/notifications/tool-result', params: this.call.result});
        break;
      case 'ui/notifications/size-changed':
        if (Number.isFinite(params.height)) { this.height = Math.min(HIGHEST, Math.max(40, Math.ceil(params.height))); this.draw(); }
        break;
      case 'notifications/message': this.#say(params.level ?? 'info', typeof params.data === 'string' ? params.data : JSON.stringify(params.data)); break;
      default:
    }
  }

  #say(level, text) {
    this.bench.say({level, logger: 'page of ' + this.tool.name, text: String(text).slice(0, 4000)});
  }

  async #result(method, params) {
    switch (method) {
      case 'ping': return {};
      case 'ui/initialize': return {protocolVersion: PROTOCOL, hostInfo: {name: 'fairlead-console', version: '0.1.0'},
        hostCapabilities: {serverTools: {}, serverResources: {}, openLinks: {}, logging: {}}, hostContext: this.#context()};
      case 'ui/request-display-mode': return {mode: 'inline'};
      case 'tools/call': return this.#call(params);
      case 'resources/read': return this.bench.ask('resources/read', {uri: String(params.uri)});
      case 'ui/open-link': return this.#open(String(params.url));
      case 'ui/message': case 'ui/update-model-context':
        this.#say('info', `${method}: ${JSON.stringify(params)}`);
        return {};
      default: throw Object.assign(new Error(`The console does not support ${method}`), {code: -32601});
    }
  }

  #context() {
    const theme = document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    return {theme, displayMode: 'inline', availableDisplayModes: ['inline'], locale: navigator.language, platform: 'web',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, toolInfo: {tool: this.tool}};
  }

  async #call({name, arguments: args = {}}) {
    const tool = this.tools().find(one => one.name === name);
    const visible = tool?._meta?.ui?.visibility;
    if (!tool || (Array.isArray(visible) && !visible.includes('app'))) {
      throw Object.assign(new Error(`Unknown tool: ${name}`), {code: -32602});
    }
    const call = await this.bench.start('tools/call', {name, arguments: args}, {title: `${tool.title || name} (by its page)`}).done;
    if (call.state === 'done') return call.result;
    throw Object.assign(new Error(call.message ?? 'cancelled'), {code: call.code});
  }

  #open(url) {
    if (!/^https?:\/\//i.test(url) || this.link) throw new Error('The link cannot be opened');
    return new Promise((resolve, reject) => {
      this.link = {url, resolve, reject};
      this.draw();
    });
  }

  answerLink(agreed) {
    const {resolve, reject} = this.link;
    this.link = null;
    if (agreed) resolve({}); else reject(new Error('The person declined'));
    this.draw();
  }
}
