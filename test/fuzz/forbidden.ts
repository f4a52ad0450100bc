const KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** An unpaired surrogate. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Returns whether a text contains a control character other than white space. */
function isControl(text: string): boolean {
  return [...text].some((one) => (one < ' ' && !'\t\n\r'.includes(one)) || (one >= '\u007f' && one <= '\u009f'));
}

/**
 * Returns whether a parsed body contains anything that no body may contain: names that access prototypes, control
 * characters, unpaired surrogates, or infinity.
 */
export function holdsForbidden(value: unknown): boolean {
  if (typeof value === 'string') return isControl(value) || HALF.test(value);
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsForbidden);
  return Object.entries(value).some(([name, one]) => KEYS.has(name) || holdsForbidden(name) || holdsForbidden(one));
}

/** Returns the nesting depth of arrays and objects in a JSON text, ignoring strings. */
export function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}
