import { describe, expect, it } from '@jest/globals';
import { type PolicyMatch } from '../../domain/notification-plan/policy.js';
import { type JsonObject } from '../../http/body/json.js';
import { keepsMonitors, patchPolicy, readPolicy, selectsOthers } from './policy-write.js';

const STEP = { afterSeconds: 0, channelIds: ['key:ops'] };
const POLICY = { name: 'Production', match: { tags: ['production'] }, steps: [STEP] };

describe('readPolicy', () => {
  it.each([
    ['absent', {}],
    ['null', { key: null, enabled: null, on: null, repeatEverySeconds: null, quietHours: null }],
  ])('applies the defaults of fields that are %s', (_, fields) => {
    expect(readPolicy({ ...POLICY, ...fields })).toEqual({
      errors: [],
      policy: {
        key: null,
        name: 'Production',
        enabled: true,
        match: { monitorIds: [], tags: ['production'], allTags: [], notTags: [], types: [] },
        events: ['down', 'unknown', 'location_offline', 'channel_failing'],
        steps: [STEP],
        repeatEverySeconds: null,
        quietHours: null,
      },
    });
  });

  it.each<[string, object, object]>([
    ['all', { match: { all: true } }, { match: { all: true } }],
    ['all and empty lists', { match: { all: true, tags: [], types: null } }, { match: { all: true } }],
    ['excluded tags alone', { match: { notTags: ['a'] } }, { match: { notTags: ['a'], tags: [] } }],
    ['equal delays', { steps: [STEP, STEP] }, { steps: [STEP, STEP] }],
    ['a week', { steps: [STEP, { ...STEP, afterSeconds: 604_800 }] }, { steps: [STEP, { afterSeconds: 604_800 }] }],
    [
      'a whole day',
      { quietHours: { days: ['sunday'], from: '00:00', to: '00:00' } },
      { quietHours: { timezone: 'UTC', days: ['sunday'], from: '00:00', to: '00:00', except: [] } },
    ],
  ])('accepts %s', (_, fields, expected) => {
    expect(readPolicy({ ...POLICY, ...fields })).toMatchObject({ errors: [], policy: expected });
  });

  it.each<[string, object, string[]]>([
    ['all: false alone', { match: { all: false } }, ['/match required']],
    ['several faults at once', { match: {}, steps: [{ ...STEP, afterSeconds: 1 }, STEP] }, ['/match required', '/steps/1/afterSeconds out_of_range']], // prettier-ignore
    ['a step that is an array', { steps: [[STEP]] }, ['/steps/0 invalid_type']],
    ['more than a week', { steps: [{ ...STEP, afterSeconds: 604_801 }] }, ['/steps/0/afterSeconds out_of_range']],
    ['a fraction', { steps: [{ ...STEP, afterSeconds: 0.5 }] }, ['/steps/0/afterSeconds invalid_type']],
    ['an offset as time zone', { quietHours: { timezone: '+01:00', from: '1:00', to: '07:00' } }, ['/quietHours/timezone invalid_value', '/quietHours/from invalid_value']], // prettier-ignore
    ['no days', { quietHours: { days: [], from: '01:00', to: '07:00' } }, ['/quietHours/days too_short']],
  ])('rejects %s', (_, fields, expected) => {
    const { errors } = readPolicy({ ...POLICY, ...fields });
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(expected);
  });
});

describe('patchPolicy', () => {
  const hours = { timezone: 'UTC', from: '22:00', to: '07:00' };
  const stored = { ...POLICY, quietHours: hours, repeatEverySeconds: 600 };

  it.each<[JsonObject, string[]]>([
    [{ quietHours: { to: '06:00', timezone: null }, match: { notTags: ['staging'] } }, []],
    [{ quietHours: null, repeatEverySeconds: null, match: { tags: null, all: true } }, []],
    [{ bogus: null }, ['/bogus unknown_field']],
    [{ revision: null }, ['/revision read_only_field']],
    [{ quietHours: { bogus: null } }, ['/quietHours/bogus unknown_field']],
    [{ match: { labels: null } }, ['/match/labels unknown_field']],
    [{ name: null }, ['/name required']],
    [{ match: null }, ['/match required']],
  ])('merges %j, which is then rejected for %j', (patch, expected) => {
    const { errors } = readPolicy(patchPolicy(stored, patch));
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(expected);
  });

  it('adds quiet hours, of which null members take their defaults', () => {
    const merged = patchPolicy({ ...POLICY, quietHours: null }, { quietHours: { ...hours, timezone: null } });
    expect(readPolicy(merged).policy?.quietHours).toMatchObject(hours);
    expect(
      readPolicy(patchPolicy({ ...POLICY, quietHours: null }, { quietHours: { ...hours, x: null } })).errors,
    ).toEqual([expect.objectContaining({ pointer: '/quietHours/x', code: 'unknown_field' })]);
  });
});

describe('keepsMonitors', () => {
  it.each([
    [{}, true],
    [{ match: { notTags: ['a'] } }, true],
    [{ match: { all: false } }, true],
    [{ match: { all: true } }, false],
    [{ match: { monitorIds: null } }, false],
    [{ match: { monitorIds: ['m'] } }, false],
  ])('returns for the patch %j: %s', (patch, expected) => {
    expect(keepsMonitors(patch)).toBe(expected);
  });
});

describe('selectsOthers', () => {
  const STORED = { monitorIds: ['m'], notTags: ['a'] };
  it.each<[JsonObject, PolicyMatch, boolean]>([
    [{ monitorIds: [], notTags: ['a'] }, STORED, true],
    [{ monitorIds: [], notTags: ['b'] }, { monitorIds: ['m'] }, true],
    [{ notTags: ['a'] }, STORED, false],
    [{ monitorIds: null, notTags: ['a'] }, STORED, false],
    [{ monitorIds: ['n'], notTags: ['a'] }, STORED, false],
    [{ monitorIds: [], tags: ['b'], notTags: ['a'] }, STORED, false],
    [{ monitorIds: [], types: ['http'], notTags: ['a'] }, STORED, false],
    [{ monitorIds: [], all: true }, STORED, false],
    [{ monitorIds: [], notTags: ['a'] }, { monitorIds: ['m'], tags: ['b'], notTags: ['a'] }, false],
    [{ monitorIds: [], notTags: ['a'] }, { notTags: ['a'] }, false],
    [{ monitorIds: [], notTags: ['a'] }, { all: true }, false],
  ])('returns for %j in place of %j: %s', (match, stored, expected) => {
    const body = { ...POLICY, match };
    expect(selectsOthers(body, readPolicy(body).policy!.match, stored)).toBe(expected);
  });
});
