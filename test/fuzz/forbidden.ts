const KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Half of a pair of surrogates. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether it has a control character that is no white space. */
function isControl(text: string): boolean {
  return [...text].some((one) => (one < ' ' && !'\t\n\r'.includes(one)) || (one >= '\u007f' && one <= '\u009f'));
}

/** Whether a parsed body holds what no body may hold: names that reach prototypes, control characters, half characters, infinity. */
export function holdsForbidden(value: unknown): boolean {
  if (typeof value === 'string') return isControl(value) || HALF.test(value);
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsForbidden);
  return Object.entries(value).some(([name, one]) => KEYS.has(name) || holdsForbidden(name) || holdsForbidden(one));
}

/** How deep arrays and objects of a JSON text nest, strings left out of account. */
export function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}
