/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A request under an API key as a line to paste; `$KEY` stands for the key where none is given. */
export function curlLine(method: string, url: string, { body, key }: { body?: unknown; key?: string } = {}): string {
  const credentials = key === undefined ? '"Authorization: Bearer $KEY"' : quoted(`Authorization: Bearer ${key}`);
  const parts = [`curl -H ${credentials}`];
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json'`);
  // With a body curl sends POST by itself.
  if (method !== (body === undefined ? 'GET' : 'POST')) parts.push(`-X ${method}`);
  parts.push(quoted(url));
  if (body !== undefined) parts.push(`-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}
