/** Returns a text, quoted as a single word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the curl command of a request with an API key, for people to paste. Without `key`, it refers to `$KEY`. */
export function curlLine(method: string, url: string, { body, key }: { body?: unknown; key?: string } = {}): string {
  const credentials = key === undefined ? '"Authorization: Bearer $KEY"' : quoted(`Authorization: Bearer ${key}`);
  const parts = [`curl -H ${credentials}`];
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json'`);
  // With a body, curl sends POST by default.
  if (method !== (body === undefined ? 'GET' : 'POST')) parts.push(`-X ${method}`);
  parts.push(quoted(url));
  if (body !== undefined) parts.push(`-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}
