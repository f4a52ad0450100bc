import { describe, expect, it } from '@jest/globals';
import { type JsonObject } from '../../http/body/json.js';
import { patchPage, readPage, type PageRules } from './page-write.js';

const RULES: PageRules = {
  hasPassword: false,
  refusesHost: (host) => host === '127.0.0.1',
  ownsAnyHost: false,
  isOwnHost: (host) => host === 'daywatch.example',
};
const MINIMAL = { name: 'Shop', slug: 'shop' };

const faults = (body: JsonObject, rules: Partial<PageRules> = {}) =>
  readPage(body, { ...RULES, ...rules }).errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe('readPage', () => {
  it('sets the default of every field that is null or omitted', () => {
    const nulls = Object.fromEntries(
      ['key', 'description', 'published', 'accessType', 'password', 'timezone', 'historyDays', 'theme', 'logoUrl']
        .concat(['customDomain', 'accentColor', 'homepageUrl', 'components', 'monitorIds'])
        .map((name) => [name, null]),
    );
    const expected = {
      ...MINIMAL,
      key: null,
      customDomain: null,
      description: null,
      published: true,
      accessType: 'public',
      timezone: 'UTC',
      historyDays: 90,
      theme: 'auto',
      accentColor: null,
      logoUrl: null,
      homepageUrl: null,
      showLocations: false,
      announceDetected: false,
      announceAfterSeconds: 300,
    };
    expect(readPage(MINIMAL, RULES).page).toEqual({ definition: expected, password: null, components: null });
    expect(readPage({ ...MINIMAL, ...nulls }, RULES).page).toEqual({
      definition: expected,
      password: null,
      components: [],
    });
  });

  it.each<[JsonObject, string[]]>([
    [{ key: 'a.b-c_1' }, []],
    [{ key: 'A' }, ['/key invalid_value']],
    [{ key: 'dw_x' }, ['/key invalid_value']],
    [{ name: '' }, ['/name too_short']],
    [{ name: 'x'.repeat(200) }, []],
    [{ name: 'x'.repeat(201) }, ['/name too_long']],
    [{ name: null }, ['/name required']],
    [{ name: 7 }, ['/name invalid_type']],
    [{ slug: 'a'.repeat(63) }, []],
    [{ slug: 'a'.repeat(64) }, ['/slug invalid_value']],
    [{ slug: '' }, ['/slug invalid_value']],
    [{ slug: 'Shop' }, ['/slug invalid_value']],
    [{ slug: 'shop.json' }, ['/slug invalid_value']],
    [{ slug: 'shop\n' }, ['/slug invalid_value']],
    [{ slug: null }, ['/slug required']],
    [{ customDomain: 'status.example.com' }, []],
    [{ customDomain: 'daywatch.example' }, ['/customDomain invalid_value']],
    [{ customDomain: 'Status.example.com' }, ['/customDomain invalid_value']],
    [{ customDomain: 'status.example.com\n' }, ['/customDomain invalid_value']],
    [{ customDomain: 7 }, ['/customDomain invalid_type']],
    [{ description: 'x'.repeat(2_001) }, ['/description too_long']],
    [{ published: 'yes' }, ['/published invalid_type']],
    [{ accessType: 'secret' }, ['/accessType invalid_value']],
    [{ timezone: 'Europe/Berlin' }, []],
    [{ timezone: 'Mars/Base' }, ['/timezone invalid_value']],
    [{ timezone: '+01:00' }, ['/timezone invalid_value']],
    [{ timezone: 1 }, ['/timezone invalid_value']],
    [{ historyDays: 1 }, []],
    [{ historyDays: 365 }, []],
    [{ historyDays: 0 }, ['/historyDays out_of_range']],
    [{ historyDays: 366 }, ['/historyDays out_of_range']],
    [{ historyDays: 1.5 }, ['/historyDays invalid_type']],
    [{ theme: 'pink' }, ['/theme invalid_value']],
    [{ accentColor: '#0c8599' }, []],
    [{ accentColor: '#ABCDEF' }, []],
    [{ accentColor: '' }, ['/accentColor invalid_value']],
    [{ accentColor: '#fff' }, ['/accentColor invalid_value']],
    [{ accentColor: '0c8599' }, ['/accentColor invalid_value']],
    [{ accentColor: '#0c8599ff' }, ['/accentColor invalid_value']],
    [{ accentColor: '#0c859g' }, ['/accentColor invalid_value']],
    [{ accentColor: '#0c8599\n' }, ['/accentColor invalid_value']],
    [{ accentColor: 'teal' }, ['/accentColor invalid_value']],
    [{ accentColor: 0x0c8599 }, ['/accentColor invalid_type']],
    [{ logoUrl: 'https://cdn.example.com/logo.svg?x=1', homepageUrl: 'http://example.com' }, []],
    [{ homepageUrl: 'javascript:alert(1)' }, ['/homepageUrl invalid_value']],
    [{ homepageUrl: 'java\tscript:alert(1)' }, ['/homepageUrl invalid_value']],
    [{ homepageUrl: 'data:text/html,x' }, ['/homepageUrl invalid_value']],
    [{ homepageUrl: '//example.com' }, ['/homepageUrl invalid_value']],
    [{ homepageUrl: 'https://user:pass@example.com/' }, ['/homepageUrl invalid_value']],
    [{ homepageUrl: 'https:\\\\example.com' }, ['/homepageUrl invalid_value']],
    [{ logoUrl: "https://a;script-src'self'/x" }, ['/logoUrl invalid_value']],
    [{ logoUrl: 'https://*.example.com/x' }, ['/logoUrl invalid_value']],
    [{ logoUrl: `https://example.com/${'x'.repeat(2_000)}` }, ['/logoUrl too_long']],
    [{ logoUrl: 'http://127.0.0.1/logo.png' }, ['/logoUrl address_blocked']],
    [{ logoUrl: 'http://0x7f.1/logo.png' }, ['/logoUrl address_blocked']],
    [{ id: 'x' }, ['/id read_only_field']],
    [{ status: null }, ['/status read_only_field']],
    [
      { publicUrl: 'x', revision: 2, createdAt: 'x', updatedAt: 'x' },
      ['/publicUrl', '/revision', '/createdAt', '/updatedAt'].map((one) => `${one} read_only_field`),
    ],
    [{ teamId: null }, ['/teamId unknown_field']],
    [{ toString: 'x' }, ['/toString unknown_field']],
    [{ components: 'x' }, ['/components invalid_type']],
    [{ components: [{}] }, ['/components/0/monitorId required']],
    [{ components: [null] }, ['/components/0 invalid_type']],
    [{ components: [{ monitorId: 'm', monitor: 'x' }] }, ['/components/0/monitor unknown_field']],
    [
      { components: [{ monitorId: 'm', name: '', group: 'x'.repeat(101) }] },
      ['/components/0/name too_short', '/components/0/group too_long'],
    ],
    [{ components: [{ monitorId: 'm', showUptime: 'no' }] }, ['/components/0/showUptime invalid_type']],
    [{ components: Array.from({ length: 201 }, () => ({ monitorId: 'm' })) }, ['/components too_long']],
    [{ monitorIds: [1] }, ['/monitorIds/0 invalid_type']],
    [{ components: [], monitorIds: [] }, ['/monitorIds invalid_value']],
  ])('validates %j', (members, expected) => {
    expect(faults({ ...MINIMAL, ...members })).toEqual(expected);
  });

  it('rejects a domain if every host name is one of the service', () => {
    const rules = { ownsAnyHost: true, isOwnHost: () => true };
    expect(faults({ ...MINIMAL, customDomain: 'status.example.com' }, rules)).toEqual(['/customDomain unavailable']);
    expect(faults({ ...MINIMAL, customDomain: null }, rules)).toEqual([]);
  });

  it('converts a colour to lower case', () => {
    expect(readPage({ ...MINIMAL, accentColor: '#AbCdEf' }, RULES).page?.definition.accentColor).toBe('#abcdef');
  });

  it.each<[JsonObject, boolean, string[]]>([
    [{ accessType: 'password', password: '12345678' }, false, []],
    [{ accessType: 'password', password: '1234567' }, false, ['/password too_short']],
    [{ accessType: 'password', password: 'x'.repeat(201) }, false, ['/password too_long']],
    [{ accessType: 'password' }, false, ['/password required']],
    [{ accessType: 'password', password: null }, false, ['/password required']],
    [{ accessType: 'password' }, true, []],
    [{ accessType: 'password', password: null }, true, ['/password required']],
    [{ password: '12345678' }, false, ['/password not_applicable']],
    [{ accessType: 'public', password: '12345678' }, true, ['/password not_applicable']],
    [{ accessType: 'public', password: null }, true, []],
  ])('requires a password only for a protected page: %j, stored: %s', (members, hasPassword, expected) => {
    expect(faults({ ...MINIMAL, ...members }, { hasPassword })).toEqual(expected);
  });

  it('reads components and their shorthand', () => {
    const components: JsonObject[] = [{ monitorId: 'key:a', name: 'A', group: null }, { monitorId: 'b' }];
    expect(readPage({ ...MINIMAL, components }, RULES).page?.components).toEqual([
      expect.objectContaining({ ...components[0], pointer: '/components/0/monitorId' }),
      expect.objectContaining({ ...components[1], pointer: '/components/1/monitorId' }),
    ]);
    expect(readPage({ ...MINIMAL, monitorIds: ['key:a', 'b'] }, RULES).page?.components).toEqual([
      { monitorId: 'key:a', pointer: '/monitorIds/0' },
      { monitorId: 'b', pointer: '/monitorIds/1' },
    ]);
  });
});

describe('patchPage', () => {
  const stored = readPage({ ...MINIMAL, key: 'k', timezone: 'Europe/Berlin', historyDays: 30 }, RULES).page!.definition;

  it.each<[JsonObject, JsonObject]>([
    [{}, {}],
    [{ name: 'New' }, { name: 'New' }],
    [
      { key: null, historyDays: null, timezone: 'UTC' },
      { key: null, historyDays: 90, timezone: 'UTC' },
    ],
  ])('merges %j', (patch, changes) => {
    expect(readPage(patchPage(stored, patch), RULES).page?.definition).toEqual({ ...stored, ...changes });
  });

  it('does not change components unless the patch contains them', () => {
    expect(readPage(patchPage(stored, { name: 'New' }), RULES).page?.components).toBeNull();
    expect(readPage(patchPage(stored, { components: null }), RULES).page?.components).toEqual([]);
  });

  it.each([
    [{ name: null }, '/name required'],
    [{ id: null }, '/id read_only_field'],
    [{ nope: null }, '/nope unknown_field'],
  ])('rejects %j', (patch, fault) => {
    expect(faults(patchPage(stored, patch))).toEqual([fault]);
  });
});
