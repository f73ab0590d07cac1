// Questions of the server, which a person answers on the page.
import {html, nothing} from './lit-html.js';
import {content, printable} from './content.js';
import {Form} from './schema.js';

const open = new Map(); // what is typed, by question

/** All open questions, the oldest first. */
export function questions(bench, draw) {
  for (const id of open.keys()) if (!bench.questions.has(id)) open.delete(id);
  return [...bench.questions.values()].map(question => {
    if (!open.has(question.id)) {
      open.set(question.id, {text: '', problem: '', visiting: false, form: question.kind === 'form' ? new Form(question.schema, draw, {prefix: question.id + '-f-'}) : null});
    }
    const typed = open.get(question.id);
    const send = async answer => {
      const errors = await bench.answer(question, answer);
      typed.problem = errors[''] ?? '';
      for (const [name, message] of Object.entries(errors)) if (name) typed.form?.errors.set(name, message);
      draw();
    };
    return html`<section class="panel question" role="alert" aria-label="Question of the server">
      <p class="asks">The server asks</p>
      ${bodies[question.kind](question, typed, send, draw)}
      ${typed.problem ? html`<p class="wrong">${printable(typed.problem)}</p>` : nothing}
    </section>`;
  });
}

const refusals = send => html`<button type="button" class="quiet" @click=${() => send({action: 'decline'})}>Decline</button>
  <button type="button" class="quiet" @click=${() => send({action: 'cancel'})}>Close without an answer</button>`;

const bodies = {
  form: (question, typed, send) => html`<h2>${printable(question.message)}</h2>
    <form novalidate autocomplete="off" @submit=${e => { e.preventDefault(); send({action: 'accept', content: typed.form.value}); }}>
      <div class="fields">${typed.form.render()}</div>
      <p class="soft">Do not enter passwords or keys here: the server reads the answer.</p>
      <div class="run"><button class="primary">Answer</button>${refusals(send)}</div></form>`,

  url: (question, typed, send) => html`<h2>${printable(question.message)}</h2>
    <p>It asks you to visit this page of <strong>${printable(question.host)}</strong>:</p>
    <p class="url"><code>${printable(question.url)}</code></p>
    ${question.punycode ? html`<p class="wrong">The name of the host has letters that may look like others. Check it.</p>` : nothing}
    <div class="run"><a class="button primary" href=${/^https?:/i.test(question.url) ? question.url : nothing} target="_blank" rel="noopener noreferrer"
      @click=${() => send({action: 'accept'})}>Open the page</a>${refusals(send)}</div>`,

  sample: (question, typed, send, draw) => html`<h2>Answer as the model</h2>
    ${question.request.systemPrompt ? html`<div class="turn"><p class="soft">system</p><p>${printable(question.request.systemPrompt)}</p></div>` : nothing}
    ${(question.request.messages ?? []).map(m => html`<div class="turn"><p class="soft">${printable(m.role)}</p>${[m.content].flat().map(block => content(block))}</div>`)}
    <form autocomplete="off" @submit=${e => { e.preventDefault(); send({action: 'accept', text: typed.text}); }}>
      <label class="unseen" for=${'sample-' + question.id}>Answer</label>
      <textarea id=${'sample-' + question.id} rows="4" .value=${typed.text} @input=${e => { typed.text = e.target.value; draw(); }}></textarea>
      <div class="run"><button class="primary" ?disabled=${!typed.text}>Answer</button><button type="button" class="quiet" @click=${() => send({action: 'decline'})}>Refuse</button></div></form>`,

  roots: (question, typed, send) => html`<h2>Which directories may it use?</h2>
    <form autocomplete="off" @submit=${e => { e.preventDefault(); send({action: 'accept', roots: typed.text.split('\n').map(line => line.trim()).filter(Boolean)}); }}>
      <label class="unseen" for=${'roots-' + question.id}>URIs</label>
      <textarea id=${'roots-' + question.id} class="mono" rows="3" placeholder="file:///home/me/project, one a line" .value=${typed.text} @input=${e => { typed.text = e.target.value; }}></textarea>
      <div class="run"><button class="primary">Answer</button><button type="button" class="quiet" @click=${() => send({action: 'accept', roots: []})}>None</button></div></form>`,
};
