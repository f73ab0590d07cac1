// The client of this page: requests go out by POST, everything else comes by one stream of events.

const SILENT = 15_000;
const RETRY = [500, 1000, 2000, 4000];
const MAX_HISTORY = 50;
const MAX_LOG = 200;
const MAX_FRAMES = 60; // of one call

export class Bench {
  state = 'connecting'; // to the console: or live, lost
  server = null; // {server, revision, capabilities, instructions} once it is connected
  serverState = 'connecting'; // or connected, disconnected, idle
  problem = '';
  restart = null; // the latest {at, message, succeeded} of the server
  calls = new Map(); // under way
  history = []; // calls that a person made, the latest first
  questions = new Map();
  log = [];
  updated = new Set(); // watched resources that changed since they were read
  #post;
  #onChange;
  #onList;
  #source = null;
  #page = '';
  #next = 1;
  #attempts = 0;
  #watchdog = 0;
  #timer = 0;
  #onLost;

  /** post sends a body to a path; onList is called with a list that changed at the server, onLost when the stream ended. */
  constructor(post, onChange, onList, onLost) {
    this.#post = post;
    this.#onChange = onChange;
    this.#onList = onList;
    this.#onLost = onLost;
    this.#open();
  }

  #open() {
    this.#source = new EventSource('workbench/events');
    this.#source.onmessage = event => {
      this.#attempts = 0;
      this.#watch();
      this.#take(JSON.parse(event.data));
    };
    this.#source.onerror = () => this.#lost();
    this.#watch();
  }

  #watch() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lost(), SILENT);
  }

  /** Connects again; the calls of the old stream have ended with it. */
  #lost() {
    clearTimeout(this.#watchdog);
    this.#source.close();
    this.state = 'lost';
    this.serverState = 'connecting';
    this.questions.clear();
    for (const call of this.calls.values()) {
      this.#end(call, {state: 'failed', message: 'The connection to the console was lost, and the call ended with it.'});
    }
    this.#onChange();
    this.#onLost(); // the login may have ended meanwhile
    this.#timer = setTimeout(() => this.#open(), RETRY[Math.min(this.#attempts++, RETRY.length - 1)]);
  }

  close() {
    clearTimeout(this.#watchdog);
    clearTimeout(this.#timer);
    this.#source.close();
  }

  #take(event) {
    const call = this.calls.get(event.call);
    switch (event.type) {
      case 'page': this.#page = event.page; this.state = 'live'; break;
      case 'connecting': this.serverState = 'connecting'; break;
      case 'connected':
        this.server = event.about; this.serverState = 'connected'; this.problem = '';
        this.#onList('all');
        break;
      case 'disconnected': this.serverState = 'disconnected'; this.problem = event.message; break;
      case 'restarted': this.restart = {at: Date.now(), message: event.message, succeeded: event.succeeded}; break;
      case 'idle': this.serverState = 'idle'; break;
      case 'changed': this.#onList(event.list); break;
      case 'updated': this.updated.add(event.uri); break;
      case 'log': this.log = [...this.log, {at: Date.now(), ...event}].slice(-MAX_LOG); break;
      case 'question': this.questions.set(event.question, {id: event.question, ...event.ask}); break;
      case 'question-over': this.questions.delete(event.question); break;
      case 'frame': {
        const of = call ?? this.history.find(one => one.id === event.call); // the last one may follow the end
        if (of) of.frames = [...of.frames, event].slice(-MAX_FRAMES);
        break;
      }
      case 'progress': if (call) call.progress = event; break;
      case 'task': if (call) call.task = event; break;
      case 'not-cancelled': if (call) call.note = event.message; break;
      case 'answer': this.#end(call, {state: 'done', result: event.result, cut: event.cut}); break;
      case 'failed': this.#end(call, {state: 'failed', message: event.message, code: event.code, data: event.data}); break;
      case 'cancelled': this.#end(call, {state: 'cancelled'}); break;
      default: return; // a beat
    }
    this.#onChange();
  }

  /** Adds a line to the log. */
  say(line) {
    this.#take({type: 'log', ...line});
  }

  #end(call, end) {
    if (!call) return;
    Object.assign(call, end, {ended: Date.now()});
    this.calls.delete(call.id);
    call.settle(call);
  }

  /** Starts a call; `ended` of it is a promise of the same call. */
  start(method, params, {task = false, title = '', listed = true} = {}) {
    const call = {id: 'c' + this.#next++, method, params, task: null, asTask: task, title, state: 'running', started: Date.now(), cancelling: false, frames: []};
    call.done = new Promise(settle => { call.settle = settle; });
    this.calls.set(call.id, call);
    if (listed) this.history = [call, ...this.history].slice(0, MAX_HISTORY);
    this.#send({act: 'call', call: call.id, method, params, task, frames: listed}).then(
      answer => { if (answer.message && this.calls.has(call.id)) { this.#end(call, {state: 'failed', message: answer.message}); this.#onChange(); } });
    this.#onChange();
    return call;
  }

  /** The result of a request of the page itself. */
  async ask(method, params) {
    const call = await this.start(method, params, {listed: false}).done;
    if (call.state === 'done') return call.result;
    throw new Error(call.message ?? 'cancelled');
  }

  /** Cancels a call, whose state changes when it has ended. */
  cancel(call) {
    if (call.cancelling) return;
    call.cancelling = true;
    call.cancelledAt = Date.now();
    this.#send({act: 'cancel', call: call.id});
    this.#onChange();
  }

  /** Answers a question; returns reasons by field where the answer does not fit. */
  async answer(question, answer) {
    const body = await this.#send({act: 'answer', question: question.id, ...answer});
    return body.errors ?? (body.message ? {'': body.message} : {});
  }

  /** Connects to the server, or cancels that. */
  connect(wanted) {
    this.#send({act: wanted ? 'connect' : 'disconnect'});
  }

  /** Connects with an access token of the server. */
  async authorize(token) {
    this.problem = (await this.#send({act: 'token', token})).message ?? 'Connecting…';
    this.#onChange();
  }

  /** Watches a resource, or ends that; returns the reason why it could not. */
  async watch(uri, wanted) {
    return (await this.#send({act: wanted ? 'watch' : 'unwatch', uri})).message ?? '';
  }

  async #send(body) {
    try {
      const answer = await this.#post('workbench', {page: this.#page, ...body});
      return await answer.json();
    } catch {
      return {message: 'The console cannot be reached.'};
    }
  }
}
