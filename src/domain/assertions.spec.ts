import { describe, expect, it } from '@jest/globals';
import { failedAssertions, type Assertion, type CheckFacts } from './assertions.js';

const FACTS: CheckFacts = {
  statusCode: 200,
  responseTimeMs: 120.5,
  headers: {
    'content-type': ['text/html'],
    'set-cookie': ['a=1', 'b=2'],
    'x-empty': [''],
    'x-count': ['42'],
    'x-version': ['1.10'],
  },
  body: JSON.stringify({
    status: 'ok',
    count: 3,
    ratio: 0.5,
    code: '007',
    id: '9007199254740993',
    live: true,
    none: null,
    empty: '',
    list: ['a', 'b', 7],
    nothing: [],
    items: [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ],
  }),
  tlsDaysLeft: 12,
  dnsRecords: [
    { type: 'A', value: '192.0.2.1' },
    { type: 'MX', value: '10 mail.example.com' },
  ],
};

type Row = [
  source: Assertion['source'],
  property: string | null,
  comparison: Assertion['comparison'],
  target: Assertion['target'],
  holds: boolean,
];

const ROWS: Row[] = [
  ['statusCode', null, 'equals', 200, true],
  ['statusCode', null, 'equals', '200', true],
  ['statusCode', null, 'equals', 201, false],
  ['statusCode', null, 'notEquals', 500, true],
  ['statusCode', null, 'notEquals', 200, false],
  ['statusCode', null, 'lessThan', 200, false],
  ['statusCode', null, 'lessThan', 201, true],
  ['statusCode', null, 'greaterThan', 200, false],
  ['statusCode', null, 'greaterThan', 199, true],
  ['statusCode', null, 'matches', '^2..$', true],
  ['statusCode', null, 'exists', null, true],
  ['responseTimeMs', null, 'lessThan', 120.5, false],
  ['responseTimeMs', null, 'lessThan', 121, true],
  ['responseTimeMs', null, 'lessThan', '121', true],
  ['tlsDaysLeft', null, 'greaterThan', 12, false],
  ['tlsDaysLeft', null, 'greaterThan', 11, true],
  ['header', 'Content-Type', 'equals', 'text/html', true],
  ['header', 'content-type', 'equals', 'text/HTML', false],
  ['header', 'content-type', 'contains', 'html', true],
  ['header', 'content-type', 'notContains', 'html', false],
  ['header', 'set-cookie', 'equals', 'b=2', true],
  ['header', 'set-cookie', 'notEquals', 'b=2', false],
  ['header', 'set-cookie', 'notEquals', 'c=3', true],
  ['header', 'x-count', 'greaterThan', 41, true],
  ['header', 'x-version', 'equals', '1.10', true],
  ['header', 'x-version', 'equals', '1.1', false],
  ['header', 'x-version', 'notEquals', '1.1', true],
  ['header', 'x-version', 'equals', 1.1, true],
  ['header', 'content-type', 'greaterThan', 0, false],
  ['header', 'content-type', 'lessThan', 0, false],
  ['header', 'x-missing', 'exists', null, false],
  ['header', 'x-missing', 'notExists', null, true],
  ['header', 'x-missing', 'notEquals', 'x', true],
  ['header', 'x-missing', 'equals', '', false],
  ['header', 'x-missing', 'isEmpty', null, true],
  ['header', 'x-missing', 'isNotEmpty', null, false],
  ['header', 'x-empty', 'exists', null, true],
  ['header', 'x-empty', 'isEmpty', null, true],
  ['header', 'set-cookie', 'isNotEmpty', null, true],
  ['textBody', null, 'contains', '"status":"ok"', true],
  ['textBody', null, 'notContains', 'error', true],
  ['textBody', null, 'matches', '"count":\\d+', true],
  ['textBody', null, 'notMatches', 'count', false],
  ['textBody', null, 'isEmpty', null, false],
  ['jsonBody', '$.status', 'equals', 'ok', true],
  ['jsonBody', '$.status', 'equals', 'OK', false],
  ['jsonBody', '$.count', 'equals', 3, true],
  ['jsonBody', '$.count', 'equals', '3', true],
  ['jsonBody', '$.count', 'equals', '3.0', true],
  ['jsonBody', '$.count', 'equals', 'three', false],
  ['jsonBody', '$.code', 'equals', '7', false],
  ['jsonBody', '$.code', 'equals', 7, true],
  ['jsonBody', '$.id', 'equals', '9007199254740992', false],
  ['jsonBody', '$.count', 'greaterThan', 2, true],
  ['jsonBody', '$.ratio', 'lessThan', 1, true],
  ['jsonBody', '$.live', 'equals', true, true],
  ['jsonBody', '$.live', 'equals', 'true', true],
  ['jsonBody', '$.live', 'equals', false, false],
  ['jsonBody', '$.none', 'equals', null, true],
  ['jsonBody', '$.none', 'equals', 'null', false],
  ['jsonBody', '$.none', 'exists', null, true],
  ['jsonBody', '$.none', 'isEmpty', null, true],
  ['jsonBody', '$.empty', 'isEmpty', null, true],
  ['jsonBody', '$.nothing', 'isEmpty', null, true],
  ['jsonBody', '$.list', 'isNotEmpty', null, true],
  ['jsonBody', '$.list', 'contains', 'b', true],
  ['jsonBody', '$.list', 'contains', 7, true],
  ['jsonBody', '$.list', 'contains', 'c', false],
  ['jsonBody', '$.missing', 'exists', null, false],
  ['jsonBody', '$.missing', 'notExists', null, true],
  ['jsonBody', '$.missing', 'notEquals', 'x', true],
  ['jsonBody', '$.items[*].name', 'equals', 'two', true],
  ['jsonBody', '$.items[*].name', 'notEquals', 'two', false],
  ['jsonBody', '$.items[?@.id == 2].name', 'equals', 'two', true],
  ['jsonBody', "$.items[?match(@.name, 't.o')].id", 'equals', 2, true],
  ['jsonBody', "$.items[?search(@.name, '^o')].id", 'equals', 1, true],
  ['jsonBody', '$..id', 'greaterThan', 1, true],
  ['jsonBody', '$.items', 'equals', '[object Object]', false],
  ['jsonBody', '$.constructor', 'exists', null, false],
  ['jsonBody', '$.__proto__', 'exists', null, false],
  ['dnsRecord', null, 'equals', '192.0.2.1', true],
  ['dnsRecord', 'mx', 'contains', 'mail', true],
  ['dnsRecord', 'A', 'contains', 'mail', false],
  ['dnsRecord', 'TXT', 'notExists', null, true],
];

const MX = ['10 mail.example.com', '20 backup.example.com', '30 7'];

/** With several records, a comparison holds if one of them satisfies it; its negation, if none does. */
const SEVERAL: [comparison: Assertion['comparison'], target: Assertion['target'], holds: boolean][] = [
  ['equals', '10 mail.example.com', true],
  ['equals', '20 backup.example.com', true],
  ['equals', '10 MAIL.example.com', false],
  ['equals', 'mail.example.com', false],
  ['notEquals', '10 mail.example.com', false],
  ['notEquals', '20 backup.example.com', false],
  ['notEquals', '40 other.example.com', true],
  ['contains', 'backup', true],
  ['contains', 'example.com', true],
  ['contains', 'other', false],
  ['notContains', 'backup', false],
  ['notContains', 'other', true],
  ['matches', '^20 .*\\.example\\.com$', true],
  ['matches', '^40 ', false],
  ['notMatches', '^20 ', false],
  ['notMatches', '^40 ', true],
  ['greaterThan', 5, false],
  ['lessThan', 5, false],
  ['exists', null, true],
  ['notExists', null, false],
  ['isEmpty', null, false],
  ['isNotEmpty', null, true],
];

describe('failedAssertions', () => {
  it.each(ROWS)('evaluates %s %s %s %j to %s', (source, property, comparison, target, holds) => {
    const failed = failedAssertions([{ source, property, comparison, target }], FACTS);
    expect(failed.length).toBe(holds ? 0 : 1);
  });

  it.each(SEVERAL)('evaluates %s %j over several records to %s', (comparison, target, holds) => {
    const records = { dnsRecords: MX.map((value) => ({ type: 'MX', value })) };
    expect(failedAssertions([{ source: 'dnsRecord', comparison, target }], records)).toEqual(
      holds ? [] : [{ index: 0, actual: MX.join(', ') }],
    );
  });

  it.each<[string, Assertion, CheckFacts, string | number | null]>([
    ['a number', { source: 'statusCode', comparison: 'equals', target: 1 }, FACTS, 200],
    ['a header', { source: 'header', property: 'Content-Type', comparison: 'equals', target: 'x' }, FACTS, 'text/html'],
    [
      'a repeated header',
      { source: 'header', property: 'Via', comparison: 'equals', target: 'x' },
      { headers: { via: ['1.1 a', '1.1 b'] } },
      '1.1 a, 1.1 b',
    ],
    [
      'a truncated long header',
      { source: 'header', property: 'x', comparison: 'equals', target: '' },
      { headers: { x: ['y'.repeat(999)] } },
      'y'.repeat(200),
    ],
    [
      'no half of a surrogate pair',
      { source: 'dnsRecord', comparison: 'equals', target: 'x' },
      { dnsRecords: [{ type: 'TXT', value: `${'y'.repeat(199)}🙂` }] },
      'y'.repeat(199),
    ],
    ['null for an absent header', { source: 'header', property: 'x', comparison: 'exists' }, FACTS, null],
    ['null for the body', { source: 'textBody', comparison: 'equals', target: 'x' }, FACTS, null],
    [
      'null for a part of the body',
      { source: 'jsonBody', property: '$.status', comparison: 'equals', target: 'x' },
      FACTS,
      null,
    ],
  ])('reports as the actual value %s', (_, assertion, facts, actual) => {
    expect(failedAssertions([assertion], facts)).toEqual([{ index: 0, actual }]);
  });

  it('returns the indices of the failing assertions in order', () => {
    const good: Assertion = { source: 'statusCode', comparison: 'equals', target: 200 };
    const bad: Assertion = { source: 'statusCode', comparison: 'equals', target: 404 };
    expect(failedAssertions([bad, good, bad], FACTS).map((one) => one.index)).toEqual([0, 2]);
  });

  it.each(['', 'no json', '{"a":1', '<html>'])('fails every jsonBody assertion if the body is %j', (body) => {
    const comparisons = ['equals', 'notEquals', 'notContains', 'exists', 'notExists', 'isEmpty'] as const;
    const assertions = comparisons.map((comparison) => ({
      source: 'jsonBody' as const,
      property: '$.a',
      comparison,
      target: 1,
    }));
    expect(failedAssertions(assertions, { body })).toHaveLength(comparisons.length);
  });

  it('fails assertions about values that were not observed', () => {
    const assertions: Assertion[] = [
      { source: 'tlsDaysLeft', comparison: 'greaterThan', target: 0 },
      { source: 'tlsDaysLeft', comparison: 'exists' },
      { source: 'statusCode', comparison: 'lessThan', target: 999 },
    ];
    expect(failedAssertions(assertions, { tlsDaysLeft: null })).toHaveLength(3);
  });
});
