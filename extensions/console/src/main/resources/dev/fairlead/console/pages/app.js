// The shell: head, tabs, router, login, and the dialog that asks before something ends.
import {html, nothing, render} from './lit-html.js';
import {Connection} from './connection.js';
import {clock, plural} from './format.js';
import {sessions} from './views/sessions.js';
import {streams} from './views/streams.js';
import {calls} from './views/calls.js';
import {tasks} from './views/tasks.js';
import {figures} from './views/figures.js';
import {refusals} from './views/refusals.js';
import {log} from './views/log.js';
import {features} from './views/features.js';
import {limits} from './views/limits.js';
import {tryServer} from './views/try.js';

const TABS = [sessions, streams, calls, tasks, figures, refusals, log, features, limits, tryServer];
const TYPING = 250;
const DARK = matchMedia('(prefers-color-scheme: dark)');

/** The view that the address names. */
const named = () => location.hash.replace(/^#\/?/, '');

class FairleadConsole extends HTMLElement {
  #connection = new Connection(() => this.#draw());
  #id = ''; // of the view whose data the connection has, which follows the address a moment later
  #params = new Map(); // of each view
  #question = null; // what the dialog asks
  #notice = '';
  #refused = '';
  #typing = 0;
  #moved = false;

  connectedCallback() {
    const theme = localStorage.getItem('fairlead-theme');
    if (theme) document.documentElement.dataset.theme = theme;
    this.#id = named();
    addEventListener('hashchange', () => this.#route(true));
    DARK.addEventListener('change', () => this.#draw());
    setInterval(() => this.#connection.state !== 'login' && this.#draw(), 1000); // ages
    this.#connection.start().then(() => this.#route(false));
    this.#draw();
  }

  get #tab() {
    return this.#tabs.find(tab => tab.id === this.#id) ?? this.#tabs[0];
  }

  /** The views that the server offers to this person. */
  get #tabs() {
    const {me} = this.#connection;
    return me ? TABS.filter(tab => me[tab.needs ?? 'watch']) : TABS;
  }

  #route(moved) {
    this.#id = named();
    this.#notice = '';
    this.#moved = moved;
    this.#connection.show(this.#tab.own ? '' : this.#tab.id, this.#params.get(this.#tab.id));
    this.#draw();
  }

  #draw() {
    if (this.#connection.state === 'login') TABS.forEach(tab => tab.leave?.());
    const focused = document.activeElement;
    render(this.#connection.state === 'login' ? this.#login() : this.#shell(), this);
    if (!focused?.isConnected) { // the focus went with its element
      (this.querySelector('.detail .run .primary') ?? this.querySelector('h1'))?.focus({preventScroll: true});
    }
    if (this.#moved) { // a screen reader continues at the new view
      this.#moved = false;
      this.querySelector('h1')?.focus({preventScroll: true});
    }
  }

  // ---- the head

  #shell() {
    const {me, data} = this.#connection;
    const server = me?.watch ?? (me?.try && {name: me.try.label, version: ''});
    document.title = server ? `${server.name} – Fairlead console` : 'Fairlead console';
    return html`
      <a class="skip" href="#main" @click=${e => { e.preventDefault(); this.querySelector('#main').focus(); }}>Skip to the view</a>
      <header class="top">
        <div class="brand">
          <img src="icon.svg" alt="" width="28" height="28">
          <div><span class="server">${server?.name ?? 'Fairlead console'}</span>
            <span class="version">${server?.version ?? ''}</span></div>
        </div>
        <p class="counts">${data.head && !this.#tab.own ? `${plural(data.head.sessions, 'session')} · ${plural(data.head.requests, 'request')} under way` : ''}</p>
        ${this.#live()}
        ${this.#theme()}
        ${me ? html`<button class="quiet" @click=${() => this.#connection.logOut()}>Log out</button>` : nothing}
      </header>
      ${this.#tabs.length < 2 ? nothing : html`<nav class="tabs" aria-label="Views">${this.#tabs.map(tab => html`<a href=${'#/' + tab.id}
        aria-current=${tab === this.#tab ? 'page' : nothing}>${tab.name}</a>`)}</nav>`}
      <main id="main" tabindex="-1" aria-label=${this.#tab.name}>
        ${this.#notice ? html`<p class="notice" role="alert">${this.#notice}
          <button class="quiet" @click=${() => { this.#notice = ''; this.#draw(); }}>Dismiss</button></p>` : nothing}
        ${me || !this.#tab.own ? this.#tab.render(this.#page()) : nothing}
      </main>
      ${this.#dialog()}`;
  }

  #live() {
    const {state, staleSince, data} = this.#connection;
    const [tone, text] =
      state !== 'stale' && this.#tab.own ? this.#tab.status()
        : state === 'live' ? (data.head?.draining ? ['warn', 'Closing'] : ['good', 'Live'])
        : state === 'stale' ? ['bad', `Stale since ${clock(staleSince)}`]
        : ['quiet', 'Connecting'];
    return html`<p class="live ${tone}" role="status">${text}</p>`;
  }

  #theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : DARK.matches;
    return html`<button class="quiet" aria-label=${dark ? 'Use light colours' : 'Use dark colours'} @click=${() => {
      root.dataset.theme = dark ? 'light' : 'dark';
      localStorage.setItem('fairlead-theme', root.dataset.theme);
      this.#draw();
    }}>${dark ? 'Light' : 'Dark'}</button>`;
  }

  /** What views may use. */
  #page() {
    const {me, data} = this.#connection;
    const id = this.#tab.id;
    return {
      data,
      target: me?.try,
      draw: () => this.#draw(),
      identify: () => this.#connection.identify(),
      post: (path, body) => this.#connection.post(path, body),
      operates: me?.operates ?? false,
      endpoint: location.origin + (me?.watch?.path ?? ''),
      now: () => this.#connection.now(),
      params: this.#params.get(id) ?? {},
      set: (name, value) => {
        const params = {...this.#params.get(id), [name]: value};
        if (!value) delete params[name];
        this.#params.set(id, params);
        clearTimeout(this.#typing);
        this.#typing = setTimeout(() => this.#connection.show(id, params), TYPING);
      },
      confirm: question => {
        this.#question = question;
        this.#draw();
        this.querySelector('dialog').showModal();
      },
    };
  }

  // ---- the dialog

  #dialog() {
    const question = this.#question;
    return html`<dialog aria-labelledby=${question ? 'question' : nothing} @close=${() => { this.#question = null; this.#draw(); }}>
      ${question ? html`<h2 id="question">${question.title}</h2><p>${question.text}</p>
        <div class="buttons">
          <button class="quiet" autofocus @click=${e => e.target.closest('dialog').close()}>Keep it</button>
          <button class="danger" @click=${e => this.#act(e.target.closest('dialog'), question)}>${question.yes}</button>
        </div>` : nothing}
    </dialog>`;
  }

  async #act(dialog, {act, of}) {
    dialog.close();
    this.#notice = await this.#connection.act(act, of);
    this.#draw();
  }

  // ---- login

  #login() {
    const scopes = this.#connection.login === 'scopes';
    document.title = 'Log in – Fairlead console';
    return html`<main class="login">
      <img src="icon.svg" alt="" width="44" height="44">
      <h1>Fairlead console</h1>
      <p>${scopes
        ? html`Paste an access token of this server with the scope <code>watch</code>, and <code>operate</code> to end things.`
        : 'Open the address that the server printed when it started, or paste its token here.'}</p>
      <form @submit=${e => this.#logIn(e)}>
        <label for="token">${scopes ? 'Access token' : 'Token'}</label>
        <input id="token" name="token" type="password" autocomplete="off" required autofocus
          aria-describedby="refused">
        <p id="refused" class="refused" role="alert">${this.#refused}</p>
        <button class="primary">Log in</button>
      </form>
    </main>`;
  }

  async #logIn(event) {
    event.preventDefault();
    const field = event.target.elements.token;
    this.#refused = await this.#connection.logIn(field.value);
    if (!this.#refused) {
      field.value = '';
      await this.#connection.identify();
      this.#route(true);
    }
    this.#draw();
  }
}

customElements.define('fairlead-console', FairleadConsole);
