import { describe, expect, it } from '@jest/globals';
import { formBody } from './form-body.js';
import { type HttpFormSettings } from './http-settings.dto.js';

const fields = [
  { name: 'q', value: 'rote Schühe & "mehr"' },
  { name: 'q', value: 'a\r\nb' },
  { name: 'na"me\r\n', value: '' },
];

/** Reads a body with the decoder that Node has for its own requests. */
async function entriesOf(form: HttpFormSettings): Promise<[string, unknown][]> {
  const { body, contentType } = formBody(form);
  const decoded = await new Response(body, { headers: { 'Content-Type': contentType } }).formData();
  return [...decoded.entries()];
}

describe('formBody', () => {
  it.each(['urlencoded', 'multipart'] as const)('sends all fields in their order as %s', async (encoding) => {
    expect(await entriesOf({ encoding, fields })).toEqual(fields.map(({ name, value }) => [name, value]));
  });

  it('sends files', async () => {
    const file = { name: 'report', value: 'a;b\n1;2', fileName: 'rep"ort.csv' };
    const [[name, received] = []] = await entriesOf({ encoding: 'multipart', fields: [file] });
    expect(name).toBe('report');
    expect((received as File).name).toBe('rep"ort.csv');
    expect(await (received as File).text()).toBe('a;b\n1;2');
  });
});
