import { type FormFields } from '../../../../http/body/form-fields.js';
import { type JsonObject, type JsonValue } from '../../../../http/body/json.js';
import { partsOf, wholeOr } from '../../field-values.js';
import { type FormField } from '../../../../domain/form-field.js';
import { parsedJson } from '../../../../domain/parsed-json.js';
import { customField, durationOf } from '../../html/duration-choice.js';

export function nameOfField({ pointer, name }: Pick<FormField, 'pointer' | 'name'>): string {
  return name ?? pointer.split('/').at(-1)!;
}

export function pointersOf(fields: readonly FormField[]): string[] {
  return fields.map(({ pointer }) => pointer);
}

/** Returns the names of the controls of secrets, by the pointers that they write. */
export function secretsIn(fields: readonly FormField[]): Record<string, string> {
  return Object.fromEntries(fields.filter(({ secret }) => secret).map((field) => [field.pointer, nameOfField(field)]));
}

/**
 * Returns the value of a control. An empty control is null, which stands for the default of the member or for none; so
 * is a line of whitespace, because nobody could see or click such a name. Invalid input is returned as typed, so that
 * the service refuses it.
 */
export function valueOf(field: FormField, form: FormFields): JsonValue {
  const { kind, lines = 1 } = field;
  const name = nameOfField(field);
  const typed = form.text(name);
  // Browsers send line breaks as CR LF.
  const text = lines === 1 ? typed.trim() : typed.replaceAll('\r\n', '\n');
  switch (kind) {
    case 'text':
      return text === '' ? null : text;
    case 'escaped':
      return typed === '' ? null : unescaped(typed);
    case 'json':
      return text.trim() === '' ? null : jsonOr(text);
    case 'url':
      return text === '' ? null : withScheme(text);
    case 'integer':
      return text === '' ? null : wholeOr(text);
    case 'seconds':
    case 'milliseconds':
      return durationOf(kind, text, form.text(customField(name)));
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text === '' ? null : text;
    case 'list':
      return partsOf(text);
    case 'statusCodes':
      return text === '' ? null : partsOf(text).map(wholeOr);
    case 'headers':
      return headersOf(text);
    case 'extracts':
      return linesOf(text).map(extractOf);
  }
}

const HOST_FIRST = /^[^\s/?#:@]+(:\d+)?([/?#].*)?$/;

/** Completes an address that begins with its host, as people type it. */
function withScheme(text: string): string {
  return HOST_FIRST.test(text) ? `https://${text}` : text;
}

/** Returns the content of the control for a value. */
export function textOf({ kind }: FormField, value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (kind === 'headers') {
    return Object.entries(value as JsonObject)
      .map(([name, one]) => `${name}: ${scalarText(one)}`)
      .join('\n');
  }
  if (kind === 'extracts') return (value as JsonObject[]).map(extractText).join('\n');
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'escaped') return escaped(scalarText(value));
  return Array.isArray(value) ? value.map(scalarText).join(', ') : scalarText(value);
}

/** Parses JSON. Text that is none is returned as it is, so that the service refuses it. */
function jsonOr(text: string): JsonValue {
  const value = parsedJson(text) as JsonValue | undefined;
  return value === undefined ? text : value;
}

const ESCAPES = new Map([
  ['r', '\r'],
  ['n', '\n'],
  ['t', '\t'],
  ['\\', '\\'],
]);

/** Replaces `\r`, `\n`, `\t` and `\\` by the characters they stand for. A backslash before another character remains. */
function unescaped(text: string): string {
  return text.replace(/\\([rnt\\])/g, (_, letter: string) => ESCAPES.get(letter)!);
}

function escaped(text: string): string {
  return text.replace(/[\r\n\t\\]/g, (character) => {
    return `\\${[...ESCAPES].find(([, meant]) => meant === character)![0]}`;
  });
}

function scalarText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parses one header per line. A line without a colon becomes a name without a value, which the service refuses. */
function headersOf(text: string): JsonObject {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [line.trim(), null] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** Parses a line such as `token = jsonBody $.access_token`. What any other line lacks is null, which the service refuses. */
function extractOf(line: string): JsonObject {
  const [name = '', ...rest] = line.split('=');
  const where = rest.join('=').trim();
  const [source = ''] = where.split(/\s/, 1);
  return { name: name.trim(), source: source || null, property: where.slice(source.length).trim() || null };
}

/** In JSONPaths and patterns, a line break can also be written as `\n`. */
function extractText({ name, source, property }: JsonObject): string {
  return `${scalarText(name!)} = ${scalarText(source!)} ${scalarText(property!).replaceAll('\n', '\\n')}`;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
