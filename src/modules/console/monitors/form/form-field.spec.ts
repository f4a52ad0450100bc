import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../../../http/body/form-fields.js';
import { type JsonValue } from '../../../../http/body/json.js';
import { type FieldKind, type FormField } from '../../../../domain/form-field.js';
import { textOf, valueOf } from './form-field.js';

const field = (kind: FieldKind): FormField => ({ pointer: '/settings/one', label: 'One', kind });
const typed = (one: string): FormFields => new FormFields(new URLSearchParams({ one }));

describe('valueOf', () => {
  it.each([
    ['', null],
    ['as typed ', 'as typed '],
    ['a\r\nb', 'a\nb'],
  ])('parses several lines: %j', (text, value) => {
    expect(valueOf({ ...field('text'), lines: 4 }, typed(text))).toEqual(value);
  });

  it.each<[FieldKind, string, JsonValue]>([
    ['text', '', null],
    ['text', '  ', null],
    ['text', ' as typed ', 'as typed'],
    ['url', '', null],
    ['url', ' example.com ', 'https://example.com'],
    ['url', 'example.com:8443/health?a=b', 'https://example.com:8443/health?a=b'],
    ['url', 'http://example.com/', 'http://example.com/'],
    ['url', 'ftp://example.com/', 'ftp://example.com/'],
    ['url', 'mailto:a@example.com', 'mailto:a@example.com'],
    ['url', 'name:word@example.com', 'name:word@example.com'],
    ['url', '/health', '/health'],
    ['url', 'not an address', 'not an address'],
    ['integer', '', null],
    ['integer', ' 60 ', 60],
    ['integer', '-1', -1],
    ['integer', '1.5', '1.5'],
    ['integer', '1e3', '1e3'],
    ['integer', '9999999999999999', '9999999999999999'],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', '', null],
    ['boolean', 'maybe', 'maybe'],
    ['list', '', []],
    ['list', ' a , b c,,', ['a', 'b c']],
    ['statusCodes', '', null],
    ['statusCodes', '2xx, 301,400-404', ['2xx', 301, '400-404']],
    ['headers', '', {}],
    ['headers', 'A: b\r\n\r\nTime:12:30 \n', { A: 'b', Time: '12:30' }],
    ['headers', 'No value', { 'No value': null }],
    ['headers', 'Empty:', { Empty: '' }],
    ['extracts', '', []],
    [
      'extracts',
      'token = jsonBody $.a[0]\r\n\r\n id=textBody  a = (.*) ',
      [
        { name: 'token', source: 'jsonBody', property: '$.a[0]' },
        { name: 'id', source: 'textBody', property: 'a = (.*)' },
      ],
    ],
    ['extracts', ' token ', [{ name: 'token', source: null, property: null }]],
  ])('parses as %s: %j', (kind, text, value) => {
    expect(valueOf(field(kind), typed(text))).toEqual(value);
  });
});

describe('textOf', () => {
  it.each<[FieldKind, JsonValue, string]>([
    ['text', null, ''],
    ['integer', 60, '60'],
    ['boolean', false, 'false'],
    ['list', ['a', 'b'], 'a, b'],
    ['extracts', [{ name: 'a', source: 'textBody', property: 'b\nc' }], 'a = textBody b\\nc'],
    ['statusCodes', ['2xx', 301], '2xx, 301'],
    ['headers', { A: 'b', C: '' }, 'A: b\nC: '],
    ['headers', {}, ''],
  ])('formats as %s: %j', (kind, value, text) => {
    expect(textOf(field(kind), value)).toBe(text);
  });
});
