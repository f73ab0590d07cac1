// The connection of the page to the server: who is logged in, the stream of the open view, and acts.
// The stream carries differences; `data` is always the whole view.

const SILENT = 15_000;
const RETRY = [500, 1000, 2000, 4000];

// Where the token of a login is kept. Other ports of the host do not share it, as they share the cookie.
const KEPT = 'fairlead-console ' + location.pathname;

export class Connection {
  me = null; // null until known
  login = null; // the kind of login that the server asks for
  state = 'connecting'; // or live, stale, login
  staleSince = null;
  problem = '';
  data = empty();
  skew = 0;
  #onChange;
  #source = null;
  #query = '';
  #attempts = 0;
  #timer = 0;
  #watchdog = 0;

  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** The time of the server in milliseconds. */
  now() {
    return Date.now() + this.skew;
  }

  /** Exchanges the token of the address for a cookie, and removes it from the address. */
  async start() {
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    if (token) {
      history.replaceState(null, '', location.pathname);
      await this.logIn(token);
    }
    await this.identify();
  }

  /** Finds out who is logged in. */
  async identify() {
    try {
      const answer = await fetch('me', {credentials: 'same-origin', cache: 'no-store', headers: secret()});
      if (answer.status === 401) {
        this.#close();
        this.me = null;
        this.login = (await answer.json()).login;
        this.#set('login');
      } else if (answer.ok) {
        this.me = await answer.json();
        this.login = null;
        this.#open();
      } else {
        this.#lost();
      }
    } catch {
      this.#lost();
    }
  }

  /** Returns an empty text, or the reason why the token was refused. */
  async logIn(token) {
    try {
      const answer = await this.post('login', {token});
      const body = await answer.json();
      if (answer.ok) localStorage.setItem(KEPT, body.token);
      return answer.ok ? '' : body.message;
    } catch {
      return 'The server cannot be reached.';
    }
  }

  async logOut() {
    await this.post('logout', {}).catch(() => {});
    localStorage.removeItem(KEPT);
    this.#close();
    await this.identify();
  }

  /** Shows a view, with parameters such as a filter of its rows (q); without a name, none. */
  show(view, params = {}) {
    const query = view ? new URLSearchParams({view, ...params}).toString() : '';
    if (query === this.#query) return;
    if (new URLSearchParams(this.#query).get('view') !== view) this.data = empty(this.data.head);
    this.#query = query;
    if (this.me) this.#open();
  }

  /** Ends or cancels a thing; returns an empty text, or the reason why that failed. */
  async act(act, of) {
    try {
      const answer = await this.post('act', {act, of});
      const body = await answer.json();
      return !answer.ok ? body.message : body.done ? '' : 'It had ended already.';
    } catch {
      return 'The server cannot be reached.';
    }
  }

  /** Sends a write with the secrets of the page. */
  post(path, body) {
    return fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {'Content-Type': 'application/json', ...secret()},
      body: JSON.stringify(body),
    });
  }

  #open() {
    this.#close();
    if (!this.#query || !this.me?.watch) {
      this.#set('live');
      return;
    }
    let fresh = true; // the first event of a stream is the whole view
    const source = new EventSource('events?' + this.#query);
    this.#source = source;
    source.onmessage = event => {
      this.#take(JSON.parse(event.data), fresh);
      fresh = false;
      this.#attempts = 0;
      this.#heard();
      this.#set('live');
    };
    source.onerror = () => this.#lost();
    this.#heard();
  }

  #heard() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lost(), SILENT);
  }

  #close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#watchdog);
    this.#source?.close();
    this.#source = null;
  }

  /** Connects again, less often as time goes by; the login may have ended meanwhile. */
  #lost() {
    this.#close();
    this.#set('stale');
    const wait = RETRY[Math.min(this.#attempts++, RETRY.length - 1)];
    this.#timer = setTimeout(() => this.identify(), wait);
  }

  #take(update, fresh) {
    const old = fresh ? empty(this.data.head) : this.data;
    this.skew = update.now - Date.now();
    const order = update.order ?? old.order;
    const rows = new Map();
    for (const id of order) rows.set(id, update.rows?.[id] ?? old.rows.get(id));
    this.data = {
      known: true,
      head: update.head ?? old.head,
      summary: update.summary ?? old.summary,
      total: update.total ?? old.total,
      order,
      rows,
    };
  }

  #set(state) {
    if (state === 'stale') this.staleSince ??= Date.now();
    else this.staleSince = null;
    this.state = state;
    this.#onChange();
  }
}

function secret() {
  return {'X-Console-Token': localStorage.getItem(KEPT) ?? ''};
}

function empty(head = null) {
  return {known: false, head, summary: {}, total: 0, order: [], rows: new Map()};
}
