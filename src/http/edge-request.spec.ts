import { describe, expect, it } from '@jest/globals';
import { type EdgeRequest, loggedPathOf } from './edge-request.js';
import { newToken } from './auth/link-token.js';

describe('loggedPathOf', () => {
  it.each<[string, string]>([
    ['/v1/monitors/0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55', '/v1/monitors/0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55'],
    [`/invitations/${newToken()}/join`, '/invitations/…/join'],
    [`/v1/monitors/key:dw_${'x'.repeat(58)}`, `/v1/monitors/key:dw_${'x'.repeat(58)}`],
    ['/', '/'],
  ])('logs %s as %s', (path, logged) => {
    expect(loggedPathOf({ baseUrl: '', path } as EdgeRequest)).toBe(logged);
  });
});
