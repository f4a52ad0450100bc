import { readFileSync } from 'node:fs';

/** The forms of the document, with the beginning of its list of servers, which occurs once in each. */
const SERVERS = { json: '"servers":[', yaml: '\nservers:\n' } as const;
export type DocumentForm = keyof typeof SERVERS;

/**
 * Returns the OpenAPI document of the service, which was written when the service was built: making it takes about a
 * second, and several times the memory. `publicUrl` is added as the first of its servers.
 */
export function writtenDocument(form: DocumentForm, publicUrl: string | null): string {
  const text = readFileSync(new URL(`../../../openapi.${form}`, import.meta.url), 'utf8');
  return publicUrl === null ? text : withServer(text, form, publicUrl);
}

/** Returns the text of a document with this as its first server. */
export function withServer(text: string, form: DocumentForm, url: string): string {
  const begin = SERVERS[form];
  // A quoted text is the same in both forms.
  const quoted = JSON.stringify(url);
  const server = form === 'json' ? `{"url":${quoted}},` : `  - url: ${quoted}\n`;
  // A function, because a text could contain patterns of replacement.
  return text.replace(begin, () => begin + server);
}
