import { type FieldError } from './problem.js';

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 6901: the pointer to a member or an element; the empty path is the whole document. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Whether arrays and objects of a JSON text nest deeper than `limit`; the outermost one counts 1. One pass without
 * recursion, so that it is safe before parsing; of a text that is no JSON it says something, but never throws.
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

/** They reach prototypes in careless code, and the mapping libraries skip them silently. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * What no body may hold anywhere, each with its pointer: forbidden keys, NUL and lone surrogates (PostgreSQL takes
 * neither), and numbers beyond a double, which JSON.parse turns into Infinity. Recursion is bounded by the depth limit
 * of the reader.
 */
export function scanJson(value: unknown, path: readonly (string | number)[] = []): FieldError[] {
  if (typeof value === 'string') return scanText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return [{ pointer: jsonPointer(path), code: 'out_of_range', detail: 'The number is too large.' }];
  }
  if (Array.isArray(value)) return value.flatMap((element, index) => scanJson(element, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const below = [...path, key];
    if (!FORBIDDEN_KEYS.has(key)) return [...scanText(key, below), ...scanJson(value[key], below)];
    return [{ pointer: jsonPointer(below), code: 'forbidden_key', detail: `The key "${key}" is not allowed.` }];
  });
}

function scanText(text: string, path: readonly (string | number)[]): FieldError[] {
  // With the u flag, \p{Surrogate} matches unpaired ones alone.
  if (!text.includes('\0') && !/\p{Surrogate}/u.test(text)) return [];
  const detail = 'NUL and unpaired surrogates are not allowed.';
  return [{ pointer: jsonPointer(path), code: 'forbidden_character', detail }];
}
