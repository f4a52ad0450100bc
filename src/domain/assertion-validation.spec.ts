import { describe, expect, it } from '@jest/globals';
import { ASSERTION_SOURCES } from './assertions.js';
import { validateAssertion } from './assertion-validation.js';

const HTTP = ASSERTION_SOURCES.filter((source) => source !== 'dnsRecord');

describe('validateAssertion', () => {
  it.each<object>([
    { source: 'statusCode', comparison: 'equals', target: 200 },
    { source: 'statusCode', property: null, comparison: 'equals', target: '200' },
    { source: 'responseTimeMs', property: '', comparison: 'lessThan', target: 500 },
    { source: 'header', property: 'X-Foo', comparison: 'exists' },
    { source: 'header', property: 'X-Foo', comparison: 'exists', target: null },
    { source: 'header', property: 'X-Foo', comparison: 'equals', target: '' },
    { source: 'textBody', comparison: 'matches', target: '(?i)ok|fine' },
    { source: 'jsonBody', property: '$', comparison: 'isNotEmpty' },
    { source: 'jsonBody', property: "$..items[?@.a > 1 && search(@.b, 'x')]", comparison: 'exists' },
    { source: 'jsonBody', property: '$.a', comparison: 'equals', target: null },
    { source: 'jsonBody', property: '$.a', comparison: 'equals', target: false },
    { source: 'tlsDaysLeft', comparison: 'greaterThan', target: 14 },
  ])('accepts %j', (assertion) => {
    expect(validateAssertion(assertion, HTTP)).toEqual([]);
  });

  it.each<[object, string]>([
    [{ source: 'dnsRecord', comparison: 'equals', target: '10 mail.example.com' }, ''],
    [{ source: 'dnsRecord', property: 'mx', comparison: 'exists' }, ''],
    [{ source: 'dnsRecord', property: 'M X', comparison: 'exists' }, 'property invalid_value'],
    [{ source: 'dnsRecord', property: 15, comparison: 'exists' }, 'property invalid_type'],
    [{ source: 'dnsRecord', comparison: 'equals', target: null }, 'target required'],
    [{ source: 'dnsRecord', comparison: 'contains', target: '' }, 'target invalid_value'],
    [{ source: 'dnsRecord', comparison: 'greaterThan', target: 'x' }, 'target invalid_type'],
  ])('reports for the DNS assertion %j: %s', (assertion, problems) => {
    const found = validateAssertion(assertion, ['dnsRecord']);
    expect(found.map(({ field, code }) => `${field} ${code}`).join(', ')).toBe(problems);
  });

  it.each<[object | null, string]>([
    [null, 'source required, comparison required'],
    [{}, 'source required, comparison required'],
    [{ source: 'statuscode', comparison: 'equals', target: 1 }, 'source invalid_value'],
    [{ source: 'dnsRecord', comparison: 'equals', target: 'x' }, 'source invalid_value'],
    [{ source: 'constructor', comparison: 'equals', target: 'x' }, 'source invalid_value'],
    [{ source: 'statusCode', comparison: '==', target: 1 }, 'comparison invalid_value'],
    [{ source: ['statusCode'], comparison: 7 }, 'source invalid_value, comparison invalid_value'],
    [{ source: 'header', comparison: 'exists' }, 'property required'],
    [{ source: 'header', property: '', comparison: 'exists' }, 'property required'],
    [{ source: 'header', property: 'a b', comparison: 'exists' }, 'property invalid_value'],
    [{ source: 'header', property: 'a:\r\nb', comparison: 'exists' }, 'property invalid_value'],
    [{ source: 'header', property: 5, comparison: 'exists' }, 'property invalid_type'],
    [{ source: 'jsonBody', comparison: 'exists' }, 'property required'],
    [{ source: 'jsonBody', property: 'status', comparison: 'exists' }, 'property invalid_value'],
    [{ source: 'jsonBody', property: '$.a[', comparison: 'exists' }, 'property invalid_value'],
    [{ source: 'jsonBody', property: '$[?nope(@)]', comparison: 'exists' }, 'property invalid_value'],
    [{ source: 'jsonBody', property: `$.${'a'.repeat(500)}`, comparison: 'exists' }, 'property invalid_value'],
    [{ source: 'textBody', property: '$.a', comparison: 'contains', target: 'x' }, 'property not_applicable'],
    [{ source: 'statusCode', comparison: 'equals' }, 'target required'],
    [{ source: 'statusCode', comparison: 'equals', target: null }, 'target required'],
    [{ source: 'statusCode', comparison: 'equals', target: 'OK' }, 'target invalid_type'],
    [{ source: 'responseTimeMs', comparison: 'greaterThan', target: 'fast' }, 'target invalid_type'],
    [{ source: 'responseTimeMs', comparison: 'lessThan', target: true }, 'target invalid_type'],
    [{ source: 'responseTimeMs', comparison: 'lessThan', target: NaN }, 'target invalid_type'],
    [{ source: 'textBody', comparison: 'lessThan', target: '' }, 'target invalid_type'],
    [{ source: 'textBody', comparison: 'contains', target: '' }, 'target invalid_value'],
    [{ source: 'textBody', comparison: 'contains', target: ['x'] }, 'target invalid_type'],
    [{ source: 'textBody', comparison: 'contains', target: 'x'.repeat(1_001) }, 'target too_long'],
    [{ source: 'textBody', comparison: 'exists', target: 'x' }, 'target not_applicable'],
    [{ source: 'textBody', comparison: 'matches', target: '(' }, 'target invalid_value'],
    [{ source: 'textBody', comparison: 'matches', target: 5 }, 'target invalid_value'],
    [{ source: 'textBody', comparison: 'matches', target: '(a)\\1' }, 'target invalid_value'],
    [{ source: 'textBody', comparison: 'matches', target: 'x{999}' }, 'target invalid_value'],
    [{ source: 'textBody', comparison: 'matches', target: 'x'.repeat(501) }, 'target invalid_value'],
  ])('reports for %j: %s', (assertion, problems) => {
    const found = validateAssertion(assertion, HTTP);
    expect(found.map(({ field, code }) => `${field} ${code}`).join(', ')).toBe(problems);
    expect(found.every(({ message }) => message.length > 5)).toBe(true);
  });
});
