import { type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startHttp, stopsServers } from '../../test/support/probe-scripts.js';
import { SequenceFields, sequenceProbe } from './sequence.probe.js';
import { type SequenceStep } from './sequence/sequence-fields.dto.js';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

stopsServers();

/** Starts a server that records the requests, and answers them with `answer`. */
async function serve(answer: (request: Seen, response: ServerResponse) => void) {
  const seen: Seen[] = [];
  const origin = await startHttp((request, body, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body };
    seen.push(one);
    answer(one, response);
  });
  return { origin, seen };
}

const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
};

describe('SequenceFields', () => {
  const step = { name: 'One', url: 'https://example.com/' };
  const token = [{ name: 'token', source: 'jsonBody', property: '$.token' }];
  const problems = (...steps: object[]): string[] => problemsOf(SequenceFields, { settings: { steps } });

  it.each<[string, object[]]>([
    ['one step', [step]],
    [
      'a value of an earlier step',
      [
        { ...step, extract: token },
        { name: 'Two', url: 'https://example.com/{{token}}?a={{token}}' },
      ],
    ],
    [
      'a value in a header and a body',
      [
        { ...step, extract: token },
        {
          name: 'Two',
          url: 'https://example.com/',
          method: 'POST',
          headers: { Authorization: 'Bearer {{token}}' },
          body: '{{token}}',
        },
      ],
    ],
    ['ten steps', Array.from({ length: 10 }, (_, index) => ({ ...step, name: `Step ${index}` }))],
  ])('accepts %s', (_, steps) => expect(problems(...steps)).toEqual([]));

  it.each<[string, object[], string]>([
    ['no step', [], '/settings/steps arrayNotEmpty'],
    [
      'eleven steps',
      Array.from({ length: 11 }, (_, index) => ({ ...step, name: `Step ${index}` })),
      '/settings/steps arrayMaxSize',
    ],
    ['two steps with a name', [step, step], '/settings/steps duplicate'],
    [
      'a placeholder in the host',
      [{ ...step, url: 'https://{{token}}.example.com/' }],
      '/settings/steps/0/url invalid_value',
    ],
    [
      'a placeholder as port',
      [{ ...step, url: 'https://example.com:{{token}}/' }],
      '/settings/steps/0/url invalid_value',
    ],
    ['a placeholder as scheme', [{ ...step, url: '{{token}}://example.com/' }], '/settings/steps/0/url invalid_value'],
    ['an unknown value', [{ ...step, url: 'https://example.com/{{token}}' }], '/settings/steps invalid_value'],
    ['a value of the same step', [{ ...step, body: '{{token}}', extract: token }], '/settings/steps invalid_value'],
    [
      'an invalid path',
      [{ ...step, extract: [{ ...token[0], property: '$[' }] }],
      '/settings/steps/0/extract/0/property invalid_value',
    ],
    [
      'an invalid pattern',
      [{ ...step, extract: [{ ...token[0], source: 'textBody', property: '(' }] }],
      '/settings/steps/0/extract/0/property invalid_value',
    ],
    [
      'an invalid header',
      [{ ...step, extract: [{ ...token[0], source: 'header', property: 'a b' }] }],
      '/settings/steps/0/extract/0/property invalid_value',
    ],
    [
      'an invalid name',
      [{ ...step, extract: [{ ...token[0], name: '1a' }] }],
      '/settings/steps/0/extract/0/name matches',
    ],
    ['an unknown member', [{ ...step, port: 80 }], '/settings/steps/0/port whitelistValidation'],
    [
      'a faulty assertion',
      [{ ...step, assertions: [{ source: 'dnsRecord', comparison: 'exists' }] }],
      '/settings/steps/0/assertions/0/source invalid_value',
    ],
  ])('rejects %s', (_, steps, problem) => expect(problems(...steps)).toContain(problem));

  it('finds secrets in each step, and binds them to its origin, wherever it has moved', () => {
    const steps: [SequenceStep, SequenceStep] = [
      { ...step, headers: { 'X-Api-Key': 'a' } },
      { name: 'Two', url: 'https://b.example.com/', auth: { type: 'bearer' as const, token: 'b' } },
    ];
    const paths = [
      ['settings', 'steps', '0', 'headers', 'X-Api-Key'],
      ['settings', 'steps', '1', 'auth', 'token'],
    ] as const;
    const stored = { settings: { steps } };
    expect(sequenceProbe.secretPaths(stored)).toEqual(paths);
    expect(paths.map((path) => sequenceProbe.secretScope(stored, path))).toEqual([
      'https://example.com',
      'https://b.example.com',
    ]);
    const storedPath = (path: readonly string[], ...changed: SequenceStep[]) =>
      sequenceProbe.storedPath!(path, { settings: { steps: changed } }, stored);
    expect(storedPath(paths[0], steps[1])).toEqual(['settings', 'steps', '1', 'headers', 'X-Api-Key']);
    expect(storedPath(paths[1], steps[1], { ...steps[0], name: 'Renamed' })).toEqual(paths[1]);
    expect(sequenceProbe.target({ settings: { steps } })).toBe('https://example.com/ and 1 more');
  });
});

describe('the sequence probe', () => {
  it('uses values of responses in later requests, encoded for their place', async () => {
    const { origin, seen } = await serve(({ url }, response) => {
      if (url !== '/sign-in') return json(response, {});
      json(response, { token: 'a b/"c"&d', id: 7 }, { 'X-Trace': 'trace 1' });
    });
    const steps = [
      {
        name: 'Sign in',
        url: `${origin}/sign-in`,
        method: 'POST',
        extract: [
          { name: 'token', source: 'jsonBody', property: '$.token' },
          { name: 'id', source: 'textBody', property: '"id":(\\d+)' },
          { name: 'trace', source: 'header', property: 'X-Trace' },
        ],
      },
      {
        name: 'Order',
        url: `${origin}/orders/{{id}}?token={{token}}`,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Trace': 'in {{trace}}' },
        body: '{"token":"{{token}}"}',
      },
      {
        name: 'Form',
        url: `${origin}/form`,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'token={{token}}',
      },
      { name: 'Text', url: `${origin}/text`, method: 'POST', body: '{{token}}' },
    ];
    const outcome = await runCheck('sequence', { settings: { steps } });
    expect(outcome).toMatchObject({ error: null, statusCode: 200, responseTimeMs: expect.any(Number) });
    const [, order, form, text] = seen;
    expect(order).toMatchObject({ url: '/orders/7?token=a%20b%2F%22c%22%26d', body: '{"token":"a b/\\"c\\"&d"}' });
    expect(order!.headers['x-trace']).toBe('in trace 1');
    expect(form!.body).toBe('token=a%20b%2F%22c%22%26d');
    expect(text!.body).toBe('a b/"c"&d');
  });

  it.each([
    ['a lone half of a surrogate pair', '"a\\ud800b"', 'a%EF%BF%BDb'],
    ['a surrogate pair', '"\\ud83d\\ude42"', '%F0%9F%99%82'],
    ['a surrogate pair at the maximum length', `"${'x'.repeat(8_191)}\\ud83d\\ude42"`, 'x'.repeat(8_191)],
  ])('can insert %s in a URL and a form', async (_, token, expected) => {
    const { origin, seen } = await serve((__, response) => response.end(`{"token":${token}}`));
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const steps = [
      { name: 'One', url: origin, extract: [{ name: 'token', source: 'jsonBody', property: '$.token' }] },
      { name: 'Two', url: `${origin}/{{token}}`, method: 'POST', headers, body: '{{token}}' },
    ];
    expect((await runCheck('sequence', { settings: { steps } })).error).toBeNull();
    expect(seen[1]).toMatchObject({ url: `/${expected}`, body: expected });
  });

  it('keeps cookies from step to step and over redirects', async () => {
    const { origin, seen } = await serve(({ url }, response) => {
      if (url === '/sign-in') {
        response.writeHead(302, {
          Location: '/home',
          'Set-Cookie': ['session=abc; Path=/; HttpOnly', 'other=1; Path=/x'],
        });
      }
      response.end();
    });
    const steps = ['sign-in', 'account'].map((name) => ({ name, url: `${origin}/${name}` }));
    expect((await runCheck('sequence', { settings: { steps } })).error).toBeNull();
    expect(seen.map(({ url, headers }) => [url, headers.cookie])).toEqual([
      ['/sign-in', undefined],
      ['/home', 'session=abc'],
      ['/account', 'session=abc'],
    ]);
  });

  it('does not let a value begin another header', async () => {
    const { origin, seen } = await serve((_, response) => json(response, { token: 'a\r\nX-Injected: 1' }));
    const steps = [
      { name: 'One', url: origin, extract: [{ name: 'token', source: 'jsonBody', property: '$.token' }] },
      { name: 'Two', url: origin, headers: { 'X-Token': '{{token}}' } },
    ];
    expect((await runCheck('sequence', { settings: { steps } })).error).toBeNull();
    expect(seen[1]!.headers).toMatchObject({ 'x-token': 'aX-Injected: 1' });
    expect(seen[1]!.headers['x-injected']).toBeUndefined();
  });

  it.each<[string, object, string, string]>([
    ['a status', { url: '/broken' }, 'unexpected_status', 'Step "Two": Unexpected status 500 (expected 2xx).'],
    [
      'an assertion',
      { assertions: [{ source: 'jsonBody', property: '$.a', comparison: 'equals', target: 2 }] },
      'assertion_failed',
      'Step "Two": Assertion 1 failed: jsonBody $.a equals 2',
    ],
    [
      'a missing value',
      { extract: [{ name: 'x', source: 'jsonBody', property: '$.b' }] },
      'unexpected_response',
      'Step "Two": The response does not contain the value x.',
    ],
    [
      'a missing header',
      { extract: [{ name: 'x', source: 'header', property: 'X-B' }] },
      'unexpected_response',
      'Step "Two": The response does not contain the value x.',
    ],
    [
      'a missing match',
      { extract: [{ name: 'x', source: 'textBody', property: 'zzz' }] },
      'unexpected_response',
      'Step "Two": The response does not contain the value x.',
    ],
  ])('ends with the first step that fails because of %s', async (_, two, code, message) => {
    const { origin, seen } = await serve(({ url }, response) => {
      if (url === '/broken') response.writeHead(500).end();
      else json(response, { a: 1 });
    });
    const { url = '/two', ...more } = two as { url?: string };
    const steps = [
      { name: 'One', url: `${origin}/one` },
      { name: 'Two', url: `${origin}${url}`, ...more },
      { name: 'Three', url: `${origin}/three` },
    ];
    const outcome = await runCheck('sequence', { settings: { steps } });
    expect(outcome).toMatchObject({ error: { code, message }, failedAssertions: [] });
    expect(seen.map((one) => one.url)).toEqual(['/one', url]);
  });

  it('has one deadline for all steps', async () => {
    const { origin } = await serve((_, response) => void setTimeout(() => response.end(), 200));
    const steps = [1, 2, 3, 4].map((number) => ({ name: `Step ${number}`, url: origin }));
    const outcome = await runCheck('sequence', { settings: { steps } }, { timeoutMs: 500 });
    expect(outcome.error).toMatchObject({ code: 'timeout', message: expect.stringMatching(/^Step "Step [234]"/) });
  });

  it('evaluates its own assertions about the whole', async () => {
    const { origin } = await serve((_, response) => void setTimeout(() => response.end(), 60));
    const steps = ['One', 'Two'].map((name) => ({ name, url: origin }));
    const assertions = [{ source: 'responseTimeMs', comparison: 'lessThan', target: 100 }];
    const outcome = await runCheck('sequence', { settings: { steps }, assertions });
    expect(outcome).toMatchObject({ error: { code: 'assertion_failed' }, failedAssertions: [{ index: 0 }] });
  });

  it('blocks private addresses in every step', async () => {
    const { origin, seen } = await serve((_, response) => response.end());
    const steps = [{ name: 'One', url: origin }];
    const outcome = await runCheck('sequence', { settings: { steps } }, { allow: [] });
    expect(outcome.error?.code).toBe('address_blocked');
    expect(seen).toEqual([]);
  });
});
