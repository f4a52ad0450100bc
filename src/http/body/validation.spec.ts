import { describe, expect, it } from '@jest/globals';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { Distinct } from './distinct.decorator.js';
import { NestedArray, NestedObject } from './nested.decorators.js';
import { ProblemException } from '../problems/problem.js';
import { QueryBoolean, QueryInt, QueryList } from '../lists/query.decorators.js';
import { validateBody, validateQuery } from './validation.js';

class AssertionDto {
  @IsIn(['header', 'textBody'])
  source: string;

  @IsOptional()
  @IsString()
  target?: string;
}

class AuthDto {
  @IsString()
  token: string;
}

class MonitorDto {
  @IsString()
  @MinLength(1)
  @MaxLength(10)
  name: string;

  @IsInt()
  @Min(1)
  @Max(86_400)
  intervalSeconds: number;

  @IsOptional()
  @IsUrl({}, { context: { code: 'invalid_url' } })
  url?: string;

  @IsOptional()
  @Matches(/^[a-z]+$/)
  key?: string;

  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  paused?: boolean;

  @IsOptional()
  @Length(2, 3)
  code?: string;

  @IsOptional()
  @IsArray()
  @Distinct()
  @IsString({ each: true })
  @MaxLength(5, { each: true })
  tags?: string[];

  @IsOptional()
  @NestedArray(() => AssertionDto, 2)
  assertions?: AssertionDto[];

  @IsOptional()
  @NestedObject(() => AuthDto)
  auth?: AuthDto;

  describe(): string {
    return this.name;
  }
}

function faultsOf(validate: () => unknown): [string, string][] {
  try {
    validate();
    return [];
  } catch (error) {
    const { errors = [] } = error as ProblemException;
    return errors.map(({ pointer, parameter, code }) => [pointer ?? parameter ?? '?', code]);
  }
}

describe('validateBody', () => {
  const good = { name: 'a', intervalSeconds: 60 };

  it('reports the type of a mistyped number, not its bounds', () => {
    const validate = (): unknown => validateBody(MonitorDto, { name: 'a', intervalSeconds: '1 min' });
    expect(validate).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ detail: 'intervalSeconds must be an integer number' })],
      }),
    );
  });

  it.each<[string, object, [string, string][]]>([
    ['a valid body', {}, []],
    ['a mistyped value, once', { name: 5 }, [['/name', 'invalid_type']]],
    ['a null member', { name: null }, [['/name', 'required']]],
    ['an absent member', { name: undefined }, [['/name', 'required']]],
    ['an empty text', { name: '' }, [['/name', 'too_short']]],
    ['a text of the maximum length', { name: '1234567890' }, []],
    ['a text over the maximum length', { name: '12345678901' }, [['/name', 'too_long']]],
    ['the minimum', { intervalSeconds: 1 }, []],
    ['a number below the minimum', { intervalSeconds: 0 }, [['/intervalSeconds', 'out_of_range']]],
    ['a number above the maximum', { intervalSeconds: 2 ** 31 }, [['/intervalSeconds', 'out_of_range']]],
    ['a fraction', { intervalSeconds: 1.5 }, [['/intervalSeconds', 'invalid_type']]],
    ['a number as text', { intervalSeconds: '60' }, [['/intervalSeconds', 'invalid_type']]],
    ['a boolean as text', { paused: 'false' }, [['/paused', 'invalid_type']]],
    ['a value whose decorator sets the code', { url: 'nonsense' }, [['/url', 'invalid_url']]],
    ['a value that does not match the pattern', { key: 'A' }, [['/key', 'invalid_value']]],
    ['a text that is too short', { code: 'a' }, [['/code', 'too_short']]],
    ['a text that is too long', { code: 'abcd' }, [['/code', 'too_long']]],
    [
      'one of the elements',
      { tags: ['a', 5, 'toolong', null] },
      [
        ['/tags/1', 'invalid_type'],
        ['/tags/3', 'invalid_type'],
        ['/tags/2', 'too_long'],
      ],
    ],
    ['duplicate elements', { tags: ['a', 'a'] }, [['/tags', 'duplicate']]],
    ['a scalar for an array', { tags: 'a' }, [['/tags', 'invalid_type']]],
    [
      'below an element',
      { assertions: [{ source: 'header' }, { source: 'x', target: 5 }] },
      [
        ['/assertions/1/source', 'invalid_value'],
        ['/assertions/1/target', 'invalid_type'],
      ],
    ],
    [
      'an element that is no object',
      { assertions: [5, null] },
      [
        ['/assertions/0', 'invalid_type'],
        ['/assertions/1', 'invalid_type'],
      ],
    ],
    ['too many elements', { assertions: [1, 2, 3].map(() => ({ source: 'header' })) }, [['/assertions', 'too_long']]],
    ['an array for a scalar', { name: ['a'] }, [['/name', 'invalid_type']]],
    ['an array among elements', { assertions: [{ source: 'header' }, [{}]] }, [['/assertions/1', 'invalid_type']]],
    ['an object for an array', { assertions: { source: 'header' } }, [['/assertions', 'invalid_type']]],
    ['an array for an object', { auth: [{ token: 'a' }] }, [['/auth', 'invalid_type']]],
    ['an unknown member of a nested object', { auth: { token: 'a', role: 'x' } }, [['/auth/role', 'unknown_field']]],
    [
      'unknown in an element',
      { assertions: [{ source: 'header', 'a/b': 1 }] },
      [['/assertions/0/a~1b', 'unknown_field']],
    ],
    [
      'a member named like a method of Object',
      { auth: { token: 'a', valueOf: 1 } },
      [['/auth/valueOf', 'unknown_field']],
    ],
    ['a member named like a method of the class', { describe: 1 }, [['/describe', 'unknown_field']]],
    ['a read-only member', { id: 1 }, [['/id', 'read_only_field']]],
    [
      'the name of a read-only member in a nested object',
      { auth: { token: 'a', id: 1 } },
      [['/auth/id', 'unknown_field']],
    ],
    [
      'all at once',
      { id: 1, name: 5, key: 'A' },
      [
        ['/id', 'read_only_field'],
        ['/name', 'invalid_type'],
        ['/key', 'invalid_value'],
      ],
    ],
  ])('reports the errors of %s', (_name, change, expected) => {
    const body: unknown = JSON.parse(JSON.stringify({ ...good, ...change }));
    expect(faultsOf(() => validateBody(MonitorDto, body, { readOnly: ['id'] })).sort()).toEqual(expected.sort());
  });

  it('creates instances and sets no members that were not sent', () => {
    const made = validateBody(MonitorDto, { ...good, assertions: [{ source: 'header' }], auth: { token: 'a' } });
    expect(made).toBeInstanceOf(MonitorDto);
    expect(made.assertions?.[0]).toBeInstanceOf(AssertionDto);
    expect(made.auth).toBeInstanceOf(AuthDto);
    expect(Object.keys(made)).toEqual(['name', 'intervalSeconds', 'assertions', 'auth']);
  });

  it('limits the number of reported errors', () => {
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`x${n}`, 1]));
    expect(faultsOf(() => validateBody(MonitorDto, body))).toHaveLength(100);
  });

  const many = <T>(make: (n: number) => T, count = 80_000): T[] => Array.from({ length: count }, (_, n) => make(n));
  const members = (count: number): object => Object.fromEntries(many((n) => [`x${n}`, {}], count));
  const assertion = { source: 'header' };
  it.each<[string, object, string, string]>([
    ['empty objects in an array', { assertions: many(() => ({})) }, '', 'too_long'],
    [
      'objects in an array, within the bound of values',
      { assertions: many(() => ({}), 9_000) },
      '/assertions',
      'too_long',
    ],
    ['elements of an array of scalars', { tags: many(String, 1_001) }, '/tags', 'too_long'],
    ['objects for a scalar', { name: many(() => ({}), 9_000) }, '/name', 'invalid_type'],
    ['objects for an object', { auth: many(() => ({}), 9_000) }, '/auth', 'invalid_type'],
    ['objects in an array among elements', { assertions: [many(() => ({}), 9_000)] }, '/assertions/0', 'invalid_type'],
    ['objects below an unknown member', { other: many(() => ({}), 9_000) }, '/other', 'unknown_field'],
    [
      'objects where an element has a scalar',
      { assertions: [{ ...assertion, target: many(() => ({}), 9_000) }] },
      '/assertions/0/target',
      'invalid_type',
    ],
    ['unknown members', members(201), '', 'too_long'],
    ['members of a nested object', { auth: members(201) }, '/auth', 'too_long'],
    ['members of an element', { assertions: [{ ...assertion, x: members(20_000) }] }, '/assertions/0/x', 'too_long'],
    ['elements that are not allowed', { assertions: many(() => 'a\0', 9_000) }, '/assertions/0', 'forbidden_character'],
  ])('rejects too many %s within 250 ms of CPU time', (_name, body, pointer, code) => {
    const before = process.cpuUsage();
    expect(faultsOf(() => validateBody(MonitorDto, { ...good, ...body }))).toContainEqual([pointer, code]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(250);
  });
});

class SearchDto {
  @QueryInt({ min: 1, max: 365 })
  days?: number;

  @QueryBoolean()
  wait?: boolean;

  @QueryList({ maxItems: 2 })
  @IsIn(['up', 'down'], { each: true })
  status?: string[];
}

class WiderSearchDto extends SearchDto {
  @QueryList()
  @IsString({ each: true })
  tag?: string[];
}

describe('validateQuery', () => {
  it.each<[Record<string, unknown>, object]>([
    [{}, {}],
    [{ days: '365' }, { days: 365 }],
    [{ wait: 'true' }, { wait: true }],
    [{ wait: 'false' }, { wait: false }],
    [{ status: 'up' }, { status: ['up'] }],
    [
      { status: ['up', 'down'], tag: 'a' },
      { status: ['up', 'down'], tag: ['a'] },
    ],
  ])('converts %j to %j', (query, expected) => {
    expect({ ...validateQuery(WiderSearchDto, query) }).toEqual(expected);
  });

  it.each<[Record<string, unknown>, [string, string][]]>([
    [{ days: '366' }, [['days', 'out_of_range']]],
    [{ days: ' 1' }, [['days', 'invalid_type']]],
    [{ days: '01' }, [['days', 'invalid_type']]],
    [{ days: '0x1' }, [['days', 'invalid_type']]],
    [{ wait: '' }, [['wait', 'invalid_type']]],
    [{ wait: 'TRUE' }, [['wait', 'invalid_type']]],
    [{ wait: ['true', 'true'] }, [['wait', 'repeated_parameter']]],
    [{ status: 'sideways' }, [['status', 'invalid_value']]],
    [{ status: ['up', 'up', 'up'] }, [['status', 'too_long']]],
    [{ tag: 'a' }, [['tag', 'unknown_parameter']]],
  ])('rejects %j', (query, expected) => {
    expect(faultsOf(() => validateQuery(SearchDto, query))).toEqual(expected);
  });
});
