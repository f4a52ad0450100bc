import { type FieldError, MAX_FAULTS } from '../problems/problem.js';

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Views a DTO as the JSON object that it is sent as: classes have no index signature, though their members are JSON. */
export function asJson(dto: object): JsonObject {
  return dto as JsonObject;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON pointer (RFC 6901) to a member or element. The empty path is the whole document. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Returns whether the arrays and objects of a JSON text are nested deeper than `limit`; the outermost one counts 1. A
 * single pass without recursion, so that it is safe before parsing. For a text that is not JSON the result is
 * unspecified, but it never throws.
 */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      if (++depth > limit) return true;
    } else if (char === '}' || char === ']') depth--;
  }
  return false;
}

/** These keys reach prototypes in careless code, and the mapping libraries skip them silently. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Control characters are invisible and break consumers, XML above all, except tabs and line breaks. With the u flag,
 * \p{Surrogate} only matches unpaired surrogates.
 */
const FORBIDDEN_CHARACTERS = /[^\P{Cc}\t\n\r]|\p{Surrogate}/u;

/** More than any legitimate body needs, and few enough to map and validate within milliseconds. */
const MAX_VALUES = 10_000;
const MAX_MEMBERS = 200;

/**
 * Returns what no body may contain, each with its pointer, at most 100 errors: forbidden keys, control characters and
 * unpaired surrogates (PostgreSQL rejects these, and NUL), numbers beyond a double, which JSON.parse turns into
 * Infinity, objects with more than 200 members, and more than 10,000 values in total, where it stops. Recursion is
 * bounded by the depth limit of the reader.
 */
export function scanJson(value: unknown): FieldError[] {
  const scan = new JsonScan();
  scan.value(value);
  return scan.faults;
}

class JsonScan {
  readonly faults: FieldError[] = [];
  /** The path to the current value. A single array, because copying it for each value would cost more than the rest. */
  private readonly path: (string | number)[] = [];
  private values = 0;

  value(value: unknown): void {
    this.values += 1;
    if (this.values > MAX_VALUES) this.isTooLarge();
    else if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      this.fault('out_of_range', 'The number is too large.');
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length && !this.isDone; index += 1) {
        this.path.push(index);
        this.value(value[index]);
        this.path.pop();
      }
    } else if (isJsonObject(value)) this.members(value);
  }

  private get isDone(): boolean {
    return this.values > MAX_VALUES || this.faults.length >= MAX_FAULTS;
  }

  private members(object: JsonObject): void {
    const keys = Object.keys(object);
    if (keys.length > MAX_MEMBERS) {
      this.fault('too_long', `An object may have at most ${MAX_MEMBERS} members.`);
      return;
    }
    for (const key of keys) {
      if (this.isDone) return;
      this.path.push(key);
      if (FORBIDDEN_KEYS.has(key)) this.fault('forbidden_key', `The key "${key}" is not allowed.`);
      else {
        this.text(key);
        this.value(object[key]);
      }
      this.path.pop();
    }
  }

  private text(text: string): void {
    if (!FORBIDDEN_CHARACTERS.test(text)) return;
    const detail = 'Control characters other than tabs and line breaks are not allowed, nor are unpaired surrogates.';
    this.fault('forbidden_character', detail);
  }

  private isTooLarge(): void {
    const detail = `The body may contain at most ${MAX_VALUES} values, including those in arrays and objects.`;
    this.faults.push({ pointer: '', code: 'too_long', detail });
  }

  private fault(code: FieldError['code'], detail: string): void {
    this.faults.push({ pointer: jsonPointer(this.path), code, detail });
  }
}
