import { describe, expect, it } from '@jest/globals';
import { type FieldError, type ProblemException } from '../../http/problems/problem.js';
import { type BulkAction, type BulkSelection, readBulkRequest } from './bulk-request.js';

const NOW = Date.UTC(2026, 10, 24, 12);
const all = { all: true };
const resume = { action: 'resume' };

const read = (body: unknown, faults: FieldError[] = []) => readBulkRequest(body, NOW, () => faults);

function errorsOf(body: unknown, faults?: FieldError[]): Partial<FieldError>[] {
  try {
    read(body, faults);
  } catch (error) {
    return ((error as ProblemException).errors ?? []).map(({ pointer, code }) => ({ pointer, code }));
  }
  return [];
}

describe('readBulkRequest', () => {
  it.each<[string, object, BulkAction]>([
    ['pause without an end', { action: 'pause' }, { kind: 'pause', until: null, reason: null }],
    [
      'pause with a duration, from now',
      { action: 'pause', durationSeconds: 600, reason: 'deploy' },
      { kind: 'pause', until: '2026-11-24T12:10:00.000Z', reason: 'deploy' },
    ],
    [
      'pause with an end',
      { action: 'pause', until: '2026-11-24T14:00:00+01:00' },
      { kind: 'pause', until: '2026-11-24T13:00:00.000Z', reason: null },
    ],
    ['resume', resume, { kind: 'resume' }],
    ['check', { action: 'check' }, { kind: 'check' }],
    ['delete', { action: 'delete' }, { kind: 'delete' }],
    ['addTags', { action: 'addTags', tags: ['a'] }, { kind: 'addTags', tags: ['a'] }],
    ['removeTags', { action: 'removeTags', tags: ['a', 'b'] }, { kind: 'removeTags', tags: ['a', 'b'] }],
    [
      'patch with nulls',
      { action: 'patch', patch: { description: null, metadata: { a: null } } },
      { kind: 'patch', patch: { description: null, metadata: { a: null } } },
    ],
    [
      'resume with unused fields that are null',
      { ...resume, tags: null, patch: null, until: null },
      { kind: 'resume' },
    ],
  ])('reads the action %s', (_, body, action) => {
    expect(read({ ...body, select: all }).action).toEqual(action);
  });

  it.each<[object, BulkSelection]>([
    [{ ids: ['key:a', 'b'] }, { ids: ['key:a', 'b'] }],
    [{ tags: ['a'] }, { tags: ['a'] }],
    [{ filter: { q: 'shop' } }, { filter: { q: 'shop' } }],
    [
      { filter: { q: null, status: ['down'], type: 'http', tag: ['a'] } },
      { filter: { status: ['down'], type: 'http', tag: ['a'] } },
    ],
    [{ all: true }, { all: true }],
    [{ ids: null, all: true }, { all: true }],
  ])('reads the selection %j', (select, expected) => {
    expect(read({ ...resume, select }).select).toEqual(expected);
  });

  const fault = (pointer: string, code: FieldError['code']) => [{ pointer, code }];
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `key:${index}`);

  it.each<[string, unknown, Partial<FieldError>[]]>([
    ['no body', undefined, [...fault('/action', 'required'), ...fault('/select', 'required')]],
    ['an unknown action', { action: 'explode', select: all }, fault('/action', 'invalid_value')],
    ['an unknown field', { ...resume, select: all, force: true }, fault('/force', 'unknown_field')],
    ['an array as selection', { ...resume, select: [] }, fault('/select', 'invalid_type')],
    ['no selector', { ...resume, select: {} }, fault('/select', 'required')],
    ['two selectors', { ...resume, select: { all: true, tags: ['a'] } }, fault('/select', 'invalid_value')],
    ['an unknown selector', { ...resume, select: { names: ['a'] } }, fault('/select/names', 'unknown_field')],
    ['all: false', { ...resume, select: { all: false } }, fault('/select/all', 'invalid_value')],
    ['an empty filter', { ...resume, select: { filter: {} } }, fault('/select/filter', 'required')],
    ['a filter of nulls', { ...resume, select: { filter: { q: null } } }, fault('/select/filter', 'required')],
    ['an empty search', { ...resume, select: { filter: { q: '' } } }, fault('/select/filter/q', 'too_short')],
    [
      'an empty list of statuses',
      { ...resume, select: { filter: { status: [] } } },
      fault('/select/filter/status', 'too_short'),
    ],
    [
      'an unknown status',
      { ...resume, select: { filter: { status: ['ok'] } } },
      fault('/select/filter/status/0', 'invalid_value'),
    ],
    [
      'an unknown type',
      { ...resume, select: { filter: { type: 'x' } } },
      fault('/select/filter/type', 'invalid_value'),
    ],
    [
      'a sort order',
      { ...resume, select: { filter: { q: 'a', sort: 'name' } } },
      fault('/select/filter/sort', 'unknown_field'),
    ],
    ['no ids', { ...resume, select: { ids: [] } }, fault('/select/ids', 'too_short')],
    ['an id that is no text', { ...resume, select: { ids: ['a', 5] } }, fault('/select/ids/1', 'invalid_type')],
    ['too many ids', { ...resume, select: { ids: ids(5_001) } }, fault('/select/ids', 'too_long')],
    ['no tags to add', { action: 'addTags', select: all }, fault('/tags', 'required')],
    ['an empty list of tags', { action: 'addTags', select: all, tags: [] }, fault('/tags', 'too_short')],
    ['an empty tag', { action: 'removeTags', select: all, tags: [''] }, fault('/tags/0', 'too_short')],
    ['no patch', { action: 'patch', select: all }, fault('/patch', 'required')],
    ['an array as patch', { action: 'patch', select: all, patch: [] }, fault('/patch', 'invalid_type')],
    [
      'fields of other actions',
      {
        ...resume,
        select: all,
        tags: ['a'],
        patch: {},
        durationSeconds: 1,
        until: '2030-01-01T00:00:00Z',
        reason: 'x',
      },
      ['tags', 'patch', 'until', 'durationSeconds', 'reason'].flatMap((name) => fault(`/${name}`, 'not_applicable')),
    ],
    [
      'two ends of a pause',
      { action: 'pause', select: all, durationSeconds: 1, until: '2030-01-01T00:00:00Z' },
      fault('/durationSeconds', 'invalid_value'),
    ],
    [
      'an end in the past',
      { action: 'pause', select: all, until: '2026-11-24T12:00:00Z' },
      fault('/until', 'out_of_range'),
    ],
  ])('rejects %s', (_, body, errors) => {
    expect(errorsOf(body)).toEqual(errors);
  });

  it('accepts 5,000 ids', () => {
    expect(read({ ...resume, select: { ids: ids(5_000) } }).select).toEqual({ ids: ids(5_000) });
  });

  it('reports errors of a patch below its pointer', () => {
    const faults: FieldError[] = [{ pointer: '/nme', code: 'unknown_field', detail: '' }];
    const body = { action: 'patch', select: all, patch: { nme: 'x' } };
    expect(errorsOf(body, faults)).toEqual(fault('/patch/nme', 'unknown_field'));
  });
});
