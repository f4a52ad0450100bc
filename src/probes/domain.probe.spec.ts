import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { startHttp, stopsServers } from '../../test/support/probe-scripts.js';
import { testAuthority } from '../../test/support/raw-target.js';
import { type DomainFacts } from '../domain/check-result.js';
import { DAY_MS } from '../domain/durations.js';
import { DomainFields, domainProbe } from './domain.probe.js';
import { createAddressPolicy } from './net/address-policy.js';
import { Egress } from './net/egress.js';
import { DnsResolver } from './net/name-resolver.js';
import { registrationIn, serverFor } from './rdap/registration.js';
import { runProbe } from './run-check.js';

stopsServers();

type Pages = Record<string, { status?: number; json?: unknown; text?: string; location?: string }>;

/** Starts a server with these pages. Returns its origin and the paths that were requested. */
async function serve(pages: Pages): Promise<{ origin: string; requested: string[] }> {
  const requested: string[] = [];
  const origin = await startHttp((request, _, response) => {
    requested.push(request.url!);
    const { status = 200, json, text, location } = pages[request.url!] ?? { status: 404, json: { errorCode: 404 } };
    response.writeHead(status, { 'Content-Type': 'application/rdap+json', ...(location && { Location: location }) });
    response.end(text ?? JSON.stringify(json));
  });
  return { origin, requested };
}

function runDomain(
  fields: Partial<DomainFields>,
  rdapBootstrapUrl = 'http://127.0.0.1:9/dns.json',
  onRegistration?: (registration: DomainFacts) => void,
) {
  const options = { ca: testAuthority(), rdapBootstrapUrl };
  const egress = new Egress(createAddressPolicy(['127.0.0.0/8']), new DnsResolver(), options);
  return runProbe(domainProbe, { host: 'example.com', ...fields }, { timeoutMs: 2_000, egress, onRegistration });
}

/** Returns the response about a domain that expires in this many days. */
function registration(days: number, status: string[] = ['active']): object {
  return {
    objectClassName: 'domain',
    ldhName: 'EXAMPLE.COM',
    status,
    events: [
      { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
      { eventAction: 'expiration', eventDate: new Date(Date.now() + (days + 0.5) * DAY_MS).toISOString() },
    ],
    entities: [
      { roles: ['abuse'], vcardArray: ['vcard', [['fn', {}, 'text', 'Somebody else']]] },
      {
        roles: ['registrar'],
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Example Registrar, Inc.'],
          ],
        ],
      },
    ],
  };
}

describe('DomainFields', () => {
  it.each(['example', '127.0.0.1', 'a b.com', 'https://example.com', '', '[::1]'])('rejects the domain %j', (host) =>
    expect(problemsOf(DomainFields, { host })).toContain('/host invalid_value'),
  );

  it.each([
    [{ server: 'rdap.example.com' }, '/settings/server invalid_value'],
    [{ server: 'https://user:x@rdap.example.com/' }, '/settings/server invalid_value'],
    [{ rejectedStatuses: 'client hold' }, '/settings/rejectedStatuses isArray'],
  ])('rejects the settings %j with %s', (settings, problem) =>
    expect(problemsOf(DomainFields, { host: 'example.com', settings })).toContain(problem),
  );
});

describe('the domain probe', () => {
  it.each<[string, object, object, object[], string | undefined]>([
    ['a registered domain', registration(100), {}, [], undefined],
    [
      'enough days',
      registration(31),
      {},
      [{ source: 'domainDaysLeft', comparison: 'greaterThan', target: 30 }],
      undefined,
    ],
    [
      'too few days',
      registration(30),
      {},
      [{ source: 'domainDaysLeft', comparison: 'greaterThan', target: 30 }],
      'assertion_failed',
    ],
    ['an expired domain', registration(-2), {}, [], 'domain_expired'],
    ['a domain on hold', registration(100, ['active', 'client hold']), {}, [], 'unexpected_status'],
    [
      'a status in the spelling of EPP',
      registration(100, ['client hold']),
      { rejectedStatuses: ['clientHold'] },
      [],
      'unexpected_status',
    ],
    [
      'a server that spells a status as EPP does',
      registration(100, ['serverTransferProhibited', 'pendingDelete']),
      {},
      [],
      'unexpected_status',
    ],
    ['a permitted status', registration(100, ['client hold']), { rejectedStatuses: [] }, [], undefined],
    ['the registrar', registration(100), { registrar: 'example registrar' }, [], undefined],
    ['another registrar', registration(100), { registrar: 'Other' }, [], 'unexpected_response'],
    [
      'an unknown expiry',
      { objectClassName: 'domain', ldhName: 'example.com' },
      {},
      [{ source: 'domainDaysLeft', comparison: 'exists' }],
      'assertion_failed',
    ],
    [
      'a part of the response',
      registration(100),
      {},
      [{ source: 'jsonBody', property: '$.ldhName', comparison: 'equals', target: 'EXAMPLE.COM' }],
      undefined,
    ],
  ])('evaluates %s', async (_, json, settings, assertions, code) => {
    const { origin, requested } = await serve({ '/rdap/domain/example.com': { json } });
    const fields = { settings: { server: `${origin}/rdap`, ...settings }, assertions: assertions as never };
    const outcome = await runDomain({ host: 'Example.COM.', ...fields });
    expect(outcome.error?.code).toBe(code);
    expect(outcome).toMatchObject({ statusCode: 200, responseTimeMs: expect.any(Number) });
    expect(requested).toEqual(['/rdap/domain/example.com']);
  });

  it('reports what it read, whatever it thinks of it', async () => {
    const seen: DomainFacts[] = [];
    const expiring = registration(-2) as { entities: { vcardArray: unknown[][][] }[] };
    expiring.entities[1]!.vcardArray[1]![1]![3] = `A\0B${'ü'.repeat(400)}`;
    const { origin } = await serve({ '/domain/example.com': { json: expiring } });
    await runDomain({ host: 'Example.COM.', settings: { server: origin } }, undefined, (one) => seen.push(one));
    expect(seen).toEqual([
      {
        domain: 'example.com',
        registrar: `A\ufffdB${'ü'.repeat(297)}`,
        expiresAt: registrationIn(expiring).expiresAtMs,
      },
    ]);
  });

  it('fails if the domain is not registered', async () => {
    const { origin } = await serve({});
    const outcome = await runDomain({ settings: { server: origin } });
    expect(outcome).toMatchObject({ statusCode: 404, error: { code: 'domain_not_found' } });
  });

  it('finds the server in the list, which it loads once, and follows redirects', async () => {
    const pages: Pages = {
      '/com/domain/example.com': { status: 302, location: '/registrar/domain/example.com' },
      '/registrar/domain/example.com': { json: registration(100) },
    };
    const { origin, requested } = await serve(pages);
    pages['/dns.json'] = { json: { services: [[['net', 'com'], [`${origin}/com/`]]] } };
    const outcomes = await Promise.all([1, 2, 3].map(() => runDomain({}, `${origin}/dns.json`)));
    expect(outcomes.map(({ error }) => error)).toEqual([null, null, null]);
    expect(requested.filter((path) => path === '/dns.json')).toHaveLength(1);
  });

  it.each<[string, Pages, object]>([
    ['the list is missing', {}, {}],
    ['the list is no JSON', { '/dns.json': { text: '<html>' } }, {}],
    ['the list has no server for the domain', { '/dns.json': { json: { services: [] } } }, {}],
    ['the server has a fault', { '/domain/example.com': { status: 503, text: '' } }, { server: '' }],
    ['the server limits requests', { '/domain/example.com': { status: 429, text: '' } }, { server: '' }],
    ['the response is not about a domain', { '/domain/example.com': { json: { status: ['active'] } } }, { server: '' }],
    [
      'the response is about something else',
      { '/domain/example.com': { json: { objectClassName: 'entity' } } },
      { server: '' },
    ],
    ['the response is no JSON', { '/domain/example.com': { text: 'hello' } }, { server: '' }],
    [
      'the server redirects forever',
      { '/domain/example.com': { status: 302, location: '/domain/example.com' } },
      { server: '' },
    ],
  ])('is inconclusive if %s', async (_, pages, settings) => {
    const { origin } = await serve(pages);
    const given = 'server' in settings ? { server: origin } : {};
    const outcome = await runDomain({ settings: given }, `${origin}/dns.json`);
    expect(outcome.error?.code).toBe('checker_error');
  });

  it('is inconclusive if the server does not respond', async () => {
    const outcome = await runDomain({ settings: { server: 'http://127.0.0.1:9/' } });
    expect(outcome.error).toEqual({
      code: 'checker_error',
      message: 'The RDAP server did not respond (connect_refused), so the check is inconclusive.',
    });
  });
});

describe('registrationIn', () => {
  it.each([null, 'x', 5, [], {}, { events: 'x', entities: 7, status: {} }, { entities: [{ roles: ['registrar'] }] }])(
    'of %j knows nothing',
    (json) => expect(registrationIn(json)).toEqual({ expiresAtMs: null, registrar: null, statuses: [] }),
  );
});

describe('the expiry in a registration', () => {
  it.each([
    ['2027-01-01T00:00:00Z', Date.UTC(2027, 0, 1)],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ['+010000-01-01T00:00:00Z', null],
    ['0999-12-31T00:00:00Z', null],
    ['soon', null],
    [5, null],
  ])('%j is %p', (eventDate, expected) => {
    expect(registrationIn({ events: [{ eventAction: 'expiration', eventDate }] }).expiresAtMs).toBe(expected);
  });
});

describe('serverFor', () => {
  const list = {
    services: [
      [
        ['com', 'net'],
        ['http://plain.example/', 'https://secure.example/'],
      ],
      [['uk'], ['https://uk.example/']],
      [['co.uk'], ['https://co.example/']],
      'nonsense',
    ],
  };
  it.each([
    ['example.com', 'https://secure.example/'],
    ['example.uk', 'https://uk.example/'],
    ['example.co.uk', 'https://co.example/'],
    ['example.org', null],
    ['com', null],
  ])('for %s is %s', (domain, server) => expect(serverFor(domain, list)).toBe(server));

  it.each([null, {}, { services: 5 }])('in the list %j is null', (other) =>
    expect(serverFor('a.com', other)).toBeNull(),
  );
});
