import { describe, expect, it } from '@jest/globals';
import { SecretBox } from '../../database/secret-box.js';
import { credentialOf, hashSecret } from './api-key-credential.js';
import { type ApiKey } from './api-key.entity.js';

const box = new SecretBox('k'.repeat(32));
const current = hashSecret(box, 'current');
const previous = hashSecret(box, 'previous');

function row(changes: Partial<ApiKey>): ApiKey {
  const none = {
    expiresAt: null,
    revokedAt: null,
    previousPrefix: null,
    previousSecretHash: null,
    previousExpiresAt: null,
  };
  return { id: 'key', teamId: 'team', scopes: ['read'], secretHash: current, ...none, ...changes } as ApiKey;
}

const at = (ms: number) => new Date(ms);
const rotated = { previousSecretHash: previous, previousExpiresAt: at(50) };

describe('credentialOf', () => {
  it.each<[string, Partial<ApiKey>, Buffer, number | null]>([
    ['the secret, without expiry', {}, current, Infinity],
    ['the secret, with expiry', { expiresAt: at(100) }, current, 100],
    ['the secret of a rotated key', { ...rotated, expiresAt: at(100) }, current, 100],
    ['the previous secret, while the overlap lasts', rotated, previous, 50],
    ['the previous secret of a key that expires later', { ...rotated, expiresAt: at(100) }, previous, 50],
    ['the previous secret of a key that expires earlier', { ...rotated, expiresAt: at(10) }, previous, 10],
    ['the previous secret without an overlap', { ...rotated, previousExpiresAt: null }, previous, 0],
    ['another secret', rotated, hashSecret(box, 'other'), null],
    ['the secret under another SECRET_KEY', {}, hashSecret(new SecretBox('j'.repeat(32)), 'current'), null],
    ['a hash of another length', {}, current.subarray(1), null],
    ['the secret of a revoked key', { revokedAt: at(1) }, current, null],
    ['the previous secret of a revoked key', { ...rotated, revokedAt: at(1) }, previous, null],
  ])('evaluates %s', (_, changes, hash, validUntil) => {
    const expected = validUntil === null ? null : { keyId: 'key', teamId: 'team', scopes: ['read'], validUntil };
    expect(credentialOf(row(changes), hash)).toEqual(expected);
  });
});
