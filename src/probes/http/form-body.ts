import { randomUUID } from 'node:crypto';
import { type HttpFormFieldSettings, type HttpFormSettings } from './http-settings.dto.js';

/** The body of a request, and its media type. */
export interface FormBody {
  contentType: string;
  body: string;
}

/** Encodes a form (https://url.spec.whatwg.org/#urlencoded-serializing, RFC 7578). */
export function formBody({ encoding, fields }: HttpFormSettings): FormBody {
  if (encoding === 'urlencoded') {
    const pairs = fields.map(({ name, value }): [string, string] => [name, value]);
    return { contentType: 'application/x-www-form-urlencoded', body: new URLSearchParams(pairs).toString() };
  }
  // Nobody can guess it, so no value contains it.
  const boundary = `daywatch-${randomUUID()}`;
  const parts = fields.map((field) => `--${boundary}\r\n${part(field)}\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: `${parts.join('')}--${boundary}--\r\n` };
}

function part({ name, value, fileName }: HttpFormFieldSettings): string {
  const file = fileName == null ? '' : `; filename="${quoted(fileName)}"`;
  const type = fileName == null ? '' : '\r\nContent-Type: application/octet-stream';
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}${type}\r\n\r\n${value}`;
}

/** Escapes as browsers do (https://html.spec.whatwg.org/#multipart-form-data). */
function quoted(text: string): string {
  return text.replace(/[\r\n"]/g, encodeURIComponent);
}
