import { describe, expect, it } from '@jest/globals';
import { invitationState } from './invitation-life.js';

const T = Date.parse('2026-01-01T12:00:00.000Z');
const at = new Date(T);

describe('invitationState', () => {
  it.each([
    [{ acceptedAt: null, revokedAt: null, expiresAt: new Date(T + 1) }, 'open'],
    [{ acceptedAt: null, revokedAt: null, expiresAt: at }, 'expired'],
    [{ acceptedAt: null, revokedAt: at, expiresAt: new Date(T + 1) }, 'revoked'],
    [{ acceptedAt: null, revokedAt: at, expiresAt: at }, 'revoked'],
    [{ acceptedAt: at, revokedAt: null, expiresAt: at }, 'accepted'],
    [{ acceptedAt: at, revokedAt: at, expiresAt: at }, 'accepted'],
  ])('returns for %j: %s', (invitation, state) => {
    expect(invitationState(invitation, T)).toBe(state);
  });
});
