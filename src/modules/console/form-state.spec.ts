import { describe, expect, it } from '@jest/globals';
import { FormFields } from '../../http/body/form-fields.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { type Fault, FormState } from './form-state.js';

const SHAPE = { id: 'one', labels: { '/name': 'Name', '/auth': 'Access', '/auth/user': 'User' } };
const sent = new FormFields(new URLSearchParams('name=a&name=b&other='));

const refusedAt = (pointer: string | undefined, detail = 'name is wrong') =>
  FormState.refused(
    SHAPE,
    sent,
    validationFailed([{ ...(pointer !== undefined && { pointer }), code: 'invalid_value', detail }]),
  );

describe('FormState', () => {
  it('contains the defaults until it is sent, and the sent values afterwards', () => {
    const blank = FormState.blank(SHAPE, { name: 'x' });
    expect([blank.text('name'), blank.text('other'), blank.status, blank.faults]).toEqual(['x', '', 200, []]);
    const state = refusedAt('/name');
    expect([state.text('name'), state.text('missing'), state.status]).toEqual(['a', '', 422]);
  });

  it.each<[string | undefined, string | null]>([
    ['/name', 'one-name'],
    ['/name/0', 'one-name'],
    ['/names', null],
    ['/auth/user', 'one-auth-user'],
    ['/auth/user/x', 'one-auth-user'],
    ['/auth/password', 'one-auth'],
    ['/nothing', null],
  ])('assigns a fault at %j to the field %j', (pointer, anchor) => {
    expect(refusedAt(pointer).faults.map((fault) => fault.anchor)).toEqual([anchor]);
  });

  it('lists faults in the order of the fields, after those without a field', () => {
    const errors = ['/auth/user', '/nothing', '/name', '/auth'].map((pointer) => ({
      pointer,
      code: 'invalid_value' as const,
      detail: pointer,
    }));
    const { faults } = FormState.refused(SHAPE, sent, validationFailed(errors));
    expect(faults.map(({ detail }) => detail)).toEqual(['/nothing', '/name', '/auth', '/auth/user']);
  });

  it('assigns thousands of faults to thousands of fields within seconds', () => {
    const fields = Array.from({ length: 12_000 }, (_, n) => `/components/${n}/name`);
    const shape = { id: 'many', labels: Object.fromEntries(fields.map((field) => [field, 'Name'])) };
    const errors = fields.map((pointer) => ({ pointer, code: 'required' as const, detail: 'name is required' }));
    const startedAt = performance.now();
    const state = FormState.refused(shape, sent, validationFailed(errors));
    const told = fields.flatMap((field) => state.errorsAt(field));
    expect(new Set(told)).toEqual(new Set(['Name is required']));
    expect(state.faults).toHaveLength(100);
    // Searching all faults for each field would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('replaces the name of a member by the label of its field', () => {
    expect(refusedAt('/name').errorsAt('/name')).toEqual(['Name is wrong']);
    expect(refusedAt('/name/0').errorsAt('/name')).toEqual(['Name is wrong']);
    expect(refusedAt('/name', 'each value in name must be red').errorsAt('/name')).toEqual(['Name must be red']);
    expect(refusedAt('/auth/user/0/x', 'user is wrong').errorsAt('/auth/user')).toEqual(['User is wrong']);
    expect(refusedAt('/auth/password', 'password is wrong').errorsAt('/auth')).toEqual(['password is wrong']);
    expect(refusedAt('/name', 'names differ').errorsAt('/name')).toEqual(['names differ']);
    expect(refusedAt('/name', 'must consist of a-z').errorsAt('/name')).toEqual(['Name must consist of a-z']);
    expect(refusedAt('/name/0', 'must consist of a-z').errorsAt('/name')).toEqual(['must consist of a-z']);
    expect(refusedAt('/name').errorsAt('/auth')).toEqual([]);
  });

  describe('of a secret', () => {
    const shape = {
      id: 'one',
      labels: { '/name': 'Name', '/token': 'Token', '/auth/password': 'Password' },
      secrets: { '/token': 'secretToken', '/auth/password': 'password' },
    };
    const typed = new FormFields(new URLSearchParams('name=a&secretToken=s3cr3t&password='));
    const conflict = new ProblemException(412, 'precondition_failed', 'Too late.');
    const faulty = validationFailed([{ pointer: '/name', code: 'invalid_value', detail: 'name is wrong' }]);
    const token = {
      detail: 'Token must be entered again before you save: it is never sent back to the browser.',
      anchor: 'one-token',
    };

    it.each<[string, FormState, Fault[]]>([
      ['opened with it', FormState.blank(shape, { secretToken: 's3cr3t' }), []],
      ['sent without a refusal', FormState.sent(shape, typed), []],
      ['refused as a whole', FormState.refused(shape, typed, conflict), [{ detail: 'Too late.', anchor: null }, token]],
      [
        'refused for another field',
        FormState.refused(shape, typed, faulty),
        [{ detail: 'Name is wrong', anchor: 'one-name' }, token],
      ],
    ])('lists the faults of a form that was %s', (_, state, faults) => {
      expect(state.faults).toEqual(faults);
    });

    it.each([
      [FormState.blank(shape, { secretToken: 's3cr3t' }), false],
      [FormState.sent(shape, typed), true],
      [FormState.refused(shape, typed, conflict), true],
    ])('asks for it again only after it was sent (%#)', (state, isAsked) => {
      const expected = isAsked ? [token] : [];
      expect(state.secretsToEnter).toEqual(expected);
      expect(state.errorsAt('/token')).toEqual(expected.map(({ detail }) => detail));
      expect([state.isSentSecret('/token'), state.isSentSecret('/auth/password')]).toEqual([isAsked, false]);
    });
  });

  it('lists a refusal without field errors only at the top', () => {
    const state = FormState.refused(SHAPE, sent, new ProblemException(409, 'conflict', 'Too late.'));
    expect([state.status, state.faults]).toEqual([409, [{ detail: 'Too late.', anchor: null }]]);
  });
});
