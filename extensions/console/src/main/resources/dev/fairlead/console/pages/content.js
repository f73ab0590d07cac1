// Results of servers. Every text becomes a text node; images and sounds are data of known types.
import {html, nothing} from './lit-html.js';
import {bytes} from './format.js';

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const SOUNDS = ['audio/mpeg', 'audio/wav', 'audio/x-wav', 'audio/ogg', 'audio/webm', 'audio/flac', 'audio/mp4', 'audio/aac'];
const LONGEST = 20_000; // characters of one text at first
const SHORT = 400; // characters of a text that fits into its box on any screen
const FEW = 10; // lines of such a text
const WIDEST = 100; // members of one branch of a tree at first

/** A text with characters that mislead the eye made visible: controls, and changes of direction. */
export const printable = text => String(text ?? '').replace(
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
  c => `‹${c.codePointAt(0).toString(16).padStart(2, '0')}›`);

/** A text as it is; a long one is shown whole on demand. */
export function plain(text) {
  const all = printable(text);
  return all.length <= LONGEST ? box(all)
    : html`${box(all.slice(0, LONGEST) + '…')}
      <details class="more"><summary>All ${bytes(all.length)}</summary>${box(all)}</details>`;
}

/** The keyboard scrolls a text that may be taller than its box. */
const box = text => text.length <= SHORT && text.split('\n').length <= FEW ? html`<pre class="text">${text}</pre>`
  : html`<pre class="text" tabindex="0" role="group" aria-label="Text">${text}</pre>`;

/** The blocks of a result of a tool. */
export function toolResult(result, page) {
  const blocks = Array.isArray(result.content) ? result.content : [];
  const structured = result.structuredContent;
  const repeated = structured !== undefined && blocks.length === 1 && blocks[0].type === 'text' && isSame(blocks[0].text, structured);
  return html`${repeated ? nothing : blocks.map(block => content(block, page))}
    ${structured !== undefined ? tree(structured) : nothing}
    ${!blocks.length && structured === undefined ? html`<p class="soft">The result has no content.</p>` : nothing}`;
}

function isSame(text, value) {
  try { return JSON.stringify(JSON.parse(text)) === JSON.stringify(value); } catch { return false; }
}

/** One block of content. */
export function content(block, page) {
  switch (block?.type) {
    case 'text': return textOrTree(block.text);
    case 'image': return image(block);
    case 'audio': return sound(block);
    case 'resource': return resource(block.resource ?? {}, page);
    case 'resource_link': return html`<div class="linked"><div><strong>${printable(block.title ?? block.name)}</strong> <code>${printable(block.uri)}</code>
      ${block.description ? html`<p class="soft">${printable(block.description)}</p>` : nothing}</div>
      ${page ? html`<button class="small" @click=${() => page.read(block.uri)}>Read</button>` : nothing}</div>`;
    default: return tree(block);
  }
}

function textOrTree(text) {
  const start = String(text ?? '').trimStart()[0];
  if (start === '{' || start === '[') {
    try { return tree(JSON.parse(text)); } catch { /* a text */ }
  }
  return plain(text);
}

function image(block) {
  if (!block.data) return html`<p class="soft">An image that is too large to be shown.</p>`;
  return IMAGES.includes(block.mimeType)
    ? html`<figure><img src=${`data:${block.mimeType};base64,${block.data}`} alt="Image of the result"><figcaption>${block.mimeType}, ${bytes(block.data.length * 3 / 4)}</figcaption></figure>`
    : html`<p class="soft">An image of the type ${printable(block.mimeType)}, ${bytes(block.data.length * 3 / 4)}, which is not shown.</p>`;
}

function sound(block) {
  if (!block.data) return html`<p class="soft">A sound that is too large to be played.</p>`;
  return SOUNDS.includes(block.mimeType)
    ? html`<figure><audio controls src=${`data:${block.mimeType};base64,${block.data}`}></audio><figcaption>${block.mimeType}, ${bytes(block.data.length * 3 / 4)}</figcaption></figure>`
    : html`<p class="soft">A sound of the type ${printable(block.mimeType)}, which is not played.</p>`;
}

/** The contents of a resource. */
export function resource(contents, page) {
  const type = contents.mimeType ?? '';
  return html`<section class="resource"><header><code>${printable(contents.uri)}</code> <span class="soft">${printable(type)}</span></header>
    ${contents.text !== undefined ? (type.includes('json') ? textOrTree(contents.text) : plain(contents.text))
      : type.startsWith('image/') ? image({data: contents.blob, mimeType: type})
      : type.startsWith('audio/') ? sound({data: contents.blob, mimeType: type})
      : html`<p class="soft">${bytes((contents.blob ?? '').length * 3 / 4)} of binary data.</p>`}</section>`;
}

/** JSON as a tree whose branches open. */
export const tree = value => html`<div class="tree">${branch('', value, 0)}</div>`;

function branch(name, value, depth) {
  const label = name === '' ? nothing : html`<span class="key">${printable(name)}</span> `;
  if (typeof value !== 'object' || value === null) {
    const tone = value === null ? 'null' : typeof value;
    return html`<div class="leaf">${label}<span class=${tone}>${typeof value === 'string' ? printable(value) : String(value)}</span></div>`;
  }
  const members = Object.entries(value);
  const size = Array.isArray(value) ? `${members.length} ${members.length === 1 ? 'item' : 'items'}` : `${members.length} ${members.length === 1 ? 'member' : 'members'}`;
  if (!members.length) return html`<div class="leaf">${label}<span class="null">${Array.isArray(value) ? '[ ]' : '{ }'}</span></div>`;
  return html`<details ?open=${depth < 3 && members.length <= 30}><summary>${label}<span class="soft">${size}</span></summary>
    <div class="inside">${members.slice(0, WIDEST).map(([key, member]) => branch(key, member, depth + 1))}
      ${members.length > WIDEST ? html`<p class="soft">and ${members.length - WIDEST} more, in the raw JSON</p>` : nothing}</div></details>`;
}
