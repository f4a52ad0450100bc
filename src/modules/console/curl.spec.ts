import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { curlLine, quoted } from './curl.js';

describe('quoted', () => {
  it.each(['', 'a b', "it's", `'"'$HOME\`id\`\\`, 'line\nbreak', '-x'])('turns %j into a single shell word', (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`]).toString()).toBe(text);
  });
});

describe('curlLine', () => {
  const url = 'http://h/v1/x';

  it.each<[string, Parameters<typeof curlLine>, string]>([
    ['a read', ['GET', url], `curl -H "Authorization: Bearer $KEY" 'http://h/v1/x'`],
    [
      'a write',
      ['POST', url, { body: { a: "it's" } }],
      `curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' 'http://h/v1/x' -d '{"a":"it'\\''s"}'`,
    ],
    ['a deletion', ['DELETE', url], `curl -H "Authorization: Bearer $KEY" -X DELETE 'http://h/v1/x'`],
    [
      'a request with a given key',
      ['GET', url, { key: 'dw_1' }],
      `curl -H 'Authorization: Bearer dw_1' 'http://h/v1/x'`,
    ],
  ])('returns the command of %s', (_name, args, line) => {
    expect(curlLine(...args).replaceAll(' \\\n  ', ' ')).toBe(line);
  });
});
