// Forms from JSON Schemas. The value is plain JSON; undefined stands for a member that is not sent.
import {html, nothing} from './lit-html.js';
import {printable} from './content.js';

const DEEPEST = 12;
const GROUPS = ['object', 'array', 'variants', 'flags']; // kinds of several controls

/** The form of one object: its values, the texts as typed, and messages at fields. */
export class Form {
  value;
  errors = new Map(); // by path
  #typed = new Map(); // texts that are not values yet, such as "1."
  #variants = new Map(); // the chosen variant by path

  /** prefix begins the ids of its fields; two forms on a page have different ones. */
  constructor(schema, onChange, {value, prefix = 'f-'} = {}) {
    this.schema = schema ?? {};
    this.prefix = prefix;
    this.onChange = onChange;
    this.value = value ?? initial(this.#resolved(this.schema), s => this.#resolved(s), true) ?? {};
  }

  /** Replaces all values, as from the raw JSON. */
  replace(value) {
    this.value = value;
    this.#typed.clear();
    this.#variants.clear();
    this.errors.clear();
    this.onChange();
  }

  /** Distributes messages such as "days must be …; items[2].name must be …" to their fields; returns whether one has a place. */
  place(message) {
    this.errors.clear();
    for (const part of message.replace(/^[^:]*arguments?: /i, '').split('; ')) {
      const path = part.match(/^[^\s]+/)?.[0] ?? '';
      if (this.#paths.has(path)) this.errors.set(path, part.slice(path.length + 1));
      else { // a missing member is named by its parent
        const name = part.match(/["'`]?([\w.$-]+)["'`]? (?:is )?(?:missing|required)/)?.[1];
        if (name && this.#paths.has(name)) this.errors.set(name, part);
      }
    }
    return this.errors.size > 0;
  }

  get wrong() { return [...this.errors.keys()]; }

  #paths = new Set();
  #notes = new Map(); // ids of the texts about a control, by its id

  #notesOf(id) { return this.#notes.get(id) || nothing; }

  render() {
    this.#paths = new Set();
    const schema = this.#resolved(this.schema);
    return this.#members(schema, '', this.value, value => this.#set(value), 0);
  }

  #set(value) {
    this.value = value ?? {};
    this.onChange();
  }

  #resolved(schema, depth = 0) {
    if (typeof schema !== 'object' || schema === null) return {};
    let all = schema;
    if (typeof schema.$ref === 'string' && depth < DEEPEST) {
      const target = schema.$ref.startsWith('#/')
        ? schema.$ref.slice(2).split('/').reduce((at, key) => at?.[decodeURIComponent(key).replace(/~1/g, '/').replace(/~0/g, '~')], this.schema)
        : schema.$ref === '#' ? this.schema : undefined;
      const {$ref, ...rest} = schema;
      all = {...this.#resolved(target, depth + 1), ...rest};
    }
    if (Array.isArray(all.allOf) && depth < DEEPEST) {
      const {allOf, ...rest} = all;
      for (const part of allOf) {
        const other = this.#resolved(part, depth + 1);
        const properties = other.properties || rest.properties ? {properties: {...rest.properties, ...other.properties}} : {};
        const required = other.required || rest.required ? {required: [...(rest.required ?? []), ...(other.required ?? [])]} : {};
        Object.assign(rest, other, properties, required);
      }
      all = rest;
    }
    return all;
  }

  #members(schema, path, value, set, depth) {
    const properties = Object.entries(schema.properties ?? {});
    const required = new Set(schema.required ?? []);
    const object = isObject(value) ? value : {};
    const change = (name, member) => {
      const all = {...object, [name]: member};
      const order = [...properties.map(([known]) => known), ...Object.keys(all)]; // that of the schema
      set(Object.fromEntries(order.filter(known => all[known] !== undefined).map(known => [known, all[known]])));
    };
    const extra = typeof schema.additionalProperties === 'object' || (!properties.length && schema.additionalProperties !== false && depth > 0);
    return html`${properties.map(([name, member]) => this.#field(
        member, name, join(path, name), object[name], v => change(name, v), required.has(name), depth))}
      ${extra ? this.#map(schema, path, object, set, depth) : nothing}`;
  }

  #field(raw, name, path, value, set, required, depth) {
    this.#paths.add(path);
    const schema = this.#resolved(raw);
    const kind = kindOf(schema);
    const id = this.prefix + path;
    const error = this.errors.get(path);
    const change = v => { this.errors.delete(path); set(v); };
    const nested = GROUPS.includes(kind);
    const hint = hints(schema);
    this.#notes.set(id, [schema.description && id + '-about', !nested && hint && id + '-hint', error && id + '-wrong'].filter(Boolean).join(' '));
    const about = html`${schema.description ? html`<p class="about" id=${id + '-about'}>${printable(schema.description)}</p>` : nothing}`;
    const label = html`${printable(schema.title || name)} ${schema.title && schema.title !== name ? html`<code class="soft">${printable(name)}</code>` : nothing}
      ${required ? nothing : html`<span class="soft optional">optional</span>`}`;
    const control = depth >= DEEPEST ? this.#json(id, path, value, change) : this.#control(kind, schema, id, path, value, change, required, depth);
    const message = error ? html`<p class="wrong" id=${id + '-wrong'} role="alert">${printable(error)}</p>` : nothing;
    if (nested) {
      return html`<fieldset class="group ${error ? 'bad' : ''}" data-path=${path}><legend>${label}</legend>${about}
        ${!required && value === undefined
          ? html`<button type="button" class="small" @click=${() => change(initial(schema, s => this.#resolved(s), true) ?? (kind === 'object' ? {} : []))}>Add</button>`
          : html`${control}${required ? nothing : html`<button type="button" class="quiet small leave" @click=${() => change(undefined)}>Leave out</button>`}`}
        ${message}</fieldset>`;
    }
    return html`<div class="argument ${error ? 'bad' : ''}">
      <label for=${id}>${label}</label>${about}${control}
      ${hint ? html`<p class="hint" id=${id + '-hint'}>${hint}</p>` : nothing}${message}</div>`;
  }

  #control(kind, schema, id, path, value, set, required, depth) {
    switch (kind) {
      case 'const': return html`<code id=${id}>${JSON.stringify(schema.const)}</code>`;
      case 'choice': return this.#choice(choices(schema), id, value, set, required);
      case 'boolean': return required
        ? html`<span class="check"><input type="checkbox" id=${id} aria-describedby=${this.#notesOf(id)} .checked=${value === true} @change=${e => set(e.target.checked)}> <span aria-hidden="true">${value === true}</span></span>`
        : this.#choice([{value: true, title: 'true'}, {value: false, title: 'false'}], id, value, set, false);
      case 'number': return this.#number(schema, id, path, value, set);
      case 'string': return this.#text(schema, id, value, set, required);
      case 'flags': return this.#flags(schema, value, set);
      case 'array': return this.#array(schema, path, value, set, depth);
      case 'variants': return this.#oneOf(schema, path, value, set, depth);
      case 'object': return html`<div class="nested">${this.#members(schema, path, value, set, depth + 1)}</div>`;
      default: return this.#json(id, path, value, set);
    }
  }

  #choice(options, id, value, set, required) {
    const chosen = options.findIndex(o => same(o.value, value));
    return html`<select id=${id} aria-describedby=${this.#notesOf(id)} @change=${e => set(e.target.value === '' ? undefined : options[+e.target.value].value)}>
      ${required && chosen >= 0 ? nothing : html`<option value="" ?selected=${chosen < 0}>${required ? 'Choose…' : 'not sent'}</option>`}
      ${options.map((o, i) => html`<option value=${i} ?selected=${i === chosen}>${printable(o.title)}</option>`)}</select>`;
  }

  #number(schema, id, path, value, set) {
    const shown = this.#typed.get(path) ?? (value === undefined ? '' : String(value));
    return html`<input id=${id} aria-describedby=${this.#notesOf(id)} inputmode=${schema.type === 'integer' ? 'numeric' : 'decimal'} autocomplete="off" .value=${shown}
      placeholder=${schema.default ?? ''} @input=${e => {
        const text = e.target.value.trim();
        this.#typed.set(path, e.target.value);
        set(text === '' ? undefined : Number.isFinite(Number(text)) ? Number(text) : text);
      }}>`;
  }

  #text(schema, id, value, set, required) {
    const shown = value === undefined ? '' : String(value);
    const take = e => set(e.target.value === '' && !required ? undefined : e.target.value);
    const type = {date: 'date', email: 'email', uri: 'url', time: 'time'}[schema.format] ?? 'text';
    return !schema.format && (schema.maxLength > 200 || schema.contentMediaType || shown.includes('\n'))
      ? html`<textarea id=${id} aria-describedby=${this.#notesOf(id)} rows="4" .value=${shown} @input=${take} spellcheck="false"></textarea>`
      : html`<input id=${id} aria-describedby=${this.#notesOf(id)} type=${type} .value=${shown} @input=${take} autocomplete="off" spellcheck="false"
          placeholder=${(schema.examples ?? [])[0] ?? ''}>`;
  }

  #flags(schema, value, set) {
    const options = choices(this.#resolved(schema.items));
    const chosen = Array.isArray(value) ? value : [];
    return html`<div class="flags">${options.map(o => html`<label class="check"><input type="checkbox"
      .checked=${chosen.some(v => same(v, o.value))} @change=${e => set(e.target.checked
        ? [...chosen, o.value] : chosen.filter(v => !same(v, o.value)))}> <span>${printable(o.title)}</span></label>`)}</div>`;
  }

  #array(schema, path, value, set, depth) {
    const items = Array.isArray(value) ? value : [];
    const member = i => (schema.prefixItems ?? [])[i] ?? schema.items ?? {};
    return html`<div class="nested">${items.map((item, i) => html`<div class="item">
        ${this.#field(member(i), String(i + 1), `${path}[${i}]`, item, v => set(items.map((old, j) => (j === i ? v ?? null : old))), true, depth + 1)}
        <button type="button" class="quiet small" aria-label=${`Remove item ${i + 1}`} @click=${() => { this.#typed.clear(); set(items.filter((_, j) => j !== i)); }}>Remove</button></div>`)}
      <button type="button" class="small" @click=${() => set([...items, blank(this.#resolved(member(items.length)), s => this.#resolved(s))])}>Add an item</button></div>`;
  }

  #map(schema, path, object, set, depth) {
    const known = schema.properties ?? {};
    const member = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    const names = Object.keys(object).filter(name => !(name in known));
    return html`${names.map(name => html`<div class="item">
        ${this.#field(member, name, join(path, name), object[name], v => set({...object, [name]: v ?? null}), true, depth + 1)}
        <button type="button" class="quiet small" aria-label=${`Remove ${name}`} @click=${() => { const {[name]: gone, ...rest} = object; set(rest); }}>Remove</button></div>`)}
      <div class="row"><input aria-label="Name of a new entry" placeholder="name" class="key" autocomplete="off">
        <button type="button" class="small" @click=${e => {
          const input = e.target.previousElementSibling;
          if (input.value && !(input.value in object)) set({...object, [input.value]: blank(this.#resolved(member), s => this.#resolved(s))});
          input.value = '';
        }}>Add an entry</button></div>`;
  }

  #oneOf(schema, path, value, set, depth) {
    const variants = variantsOf(schema).map(v => this.#resolved(v));
    const guessed = this.#variants.get(path) ?? Math.max(0, variants.findIndex(v => fits(v, value)));
    const chosen = Math.min(guessed, variants.length - 1);
    const {oneOf, anyOf, ...base} = schema;
    const variant = {...base, ...variants[chosen], properties: {...base.properties, ...variants[chosen]?.properties},
      required: [...(base.required ?? []), ...(variants[chosen]?.required ?? [])]};
    if (kindOf(variant) !== 'object') delete variant.properties;
    const kind = kindOf(variant);
    const id = this.prefix + path;
    return html`<div class="nested"><select aria-label="Kind" @change=${e => {
        this.#variants.set(path, +e.target.value);
        set(blank(variants[+e.target.value], s => this.#resolved(s)));
      }}>${variants.map((v, i) => html`<option value=${i} ?selected=${i === chosen}>${printable(nameOf(v, i))}</option>`)}</select>
      ${GROUPS.includes(kind) ? nothing : html`<label class="unseen" for=${id}>Value of ${printable(path)}</label>`}
      ${this.#control(kind, variant, id, path, value, set, true, depth + 1)}</div>`;
  }

  #json(id, path, value, set) {
    const shown = this.#typed.get(path) ?? (value === undefined ? '' : JSON.stringify(value));
    return html`<input id=${id} aria-describedby=${this.#notesOf(id)} class="mono" .value=${shown} placeholder="JSON, or a text" autocomplete="off" spellcheck="false" @input=${e => {
      this.#typed.set(path, e.target.value);
      set(parsed(e.target.value));
    }}>`;
  }
}

function parsed(text) {
  if (text.trim() === '') return undefined;
  try { return JSON.parse(text); } catch { return text; }
}

const isObject = v => typeof v === 'object' && v !== null && !Array.isArray(v);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const join = (path, name) => (path ? `${path}.${name}` : name);
const constant = s => isObject(s) && 'const' in s;

function kindOf(schema) {
  if ('const' in schema) return 'const';
  if (Array.isArray(schema.enum)) return 'choice';
  const of = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(of) && of.length) return of.every(constant) ? 'choice' : 'variants';
  const types = [schema.type].flat().filter(t => t && t !== 'null');
  if (types.length > 1) return 'variants';
  const type = types[0] ?? (schema.properties || schema.additionalProperties ? 'object' : schema.items ? 'array' : '');
  if (type === 'integer') return 'number';
  if (type === 'array' && isObject(schema.items) && (Array.isArray(schema.items.enum)
      || (schema.items.oneOf ?? schema.items.anyOf)?.every(constant))) return 'flags';
  return type;
}

function choices(schema) {
  const of = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(schema.enum)) return schema.enum.map((value, i) => ({value, title: String(schema.enumNames?.[i] ?? (typeof value === 'string' ? value : JSON.stringify(value)))}));
  return of.map(o => ({value: o.const, title: String(o.title ?? o.const)}));
}

const variantsOf = schema => schema.oneOf ?? schema.anyOf
  ?? [schema.type].flat().map(type => ({...schema, type}));

function nameOf(variant, i) {
  const tag = Object.entries(variant.properties ?? {}).find(([, p]) => constant(p));
  return variant.title ?? (tag ? `${tag[0]}: ${tag[1].const}` : variant.type ?? `Variant ${i + 1}`);
}

function fits(variant, value) {
  if (constant(variant)) return same(variant.const, value);
  const type = [variant.type].flat()[0];
  if (type === 'object' || variant.properties) {
    return isObject(value) && Object.entries(variant.properties ?? {}).every(([name, p]) => !constant(p) || same(p.const, value[name]))
      && (variant.required ?? []).every(name => name in value);
  }
  return value === undefined ? false : value === null ? type === 'null' : type === 'array' ? Array.isArray(value)
    : type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

/** The first value of a field: its default, or as little as its schema requires. */
function initial(schema, resolved, required, depth = 0) {
  if (schema.default !== undefined) return structuredClone(schema.default);
  if (!required || depth > DEEPEST) return undefined;
  switch (kindOf(schema)) {
    case 'const': return schema.const;
    case 'boolean': return false;
    case 'flags': return []; // the person chooses
    case 'array': return Array.from({length: Math.min(schema.minItems ?? 0, 20)},
      () => blank(resolved(schema.items), resolved));
    case 'object': {
      const object = {};
      for (const [name, member] of Object.entries(schema.properties ?? {})) {
        const value = initial(resolved(member), resolved, (schema.required ?? []).includes(name), depth + 1);
        if (value !== undefined) object[name] = value;
      }
      return object;
    }
    case 'variants': return initial(resolved(variantsOf(schema)[0]), resolved, true, depth + 1);
    default: return undefined;
  }
}

/** The first value of a new item, which has to be there. */
function blank(schema, resolved) {
  return initial(schema, resolved, true) ?? ({string: '', number: 0, object: {}}[kindOf(schema)] ?? null);
}

function hints(s) {
  const parts = [];
  const range = (least, most, unit) => least !== undefined && most !== undefined
    ? `${least} to ${most}${unit}` : least !== undefined ? `at least ${least}${unit}` : most !== undefined ? `at most ${most}${unit}` : '';
  parts.push(range(s.minimum, s.maximum, ''));
  if (typeof s.exclusiveMinimum === 'number') parts.push(`more than ${s.exclusiveMinimum}`);
  if (typeof s.exclusiveMaximum === 'number') parts.push(`less than ${s.exclusiveMaximum}`);
  parts.push(range(s.minLength || undefined, s.maxLength, ' characters'));
  if (s.multipleOf) parts.push(`a multiple of ${s.multipleOf}`);
  if (s.type === 'integer') parts.push('a whole number');
  if (s.format && s.format !== 'date' && s.format !== 'email') parts.push(`format ${s.format}`);
  if (s.pattern) parts.push(`matches ${s.pattern}`);
  return printable(parts.filter(Boolean).join(', '));
}
