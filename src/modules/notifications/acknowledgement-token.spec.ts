import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { SecretBox } from '../../database/secret-box.js';
import { acknowledgementToken, notificationOfToken } from './acknowledgement-token.js';

const box = new SecretBox('k'.repeat(32));
const ID = uuidv7();
const TOKEN = acknowledgementToken(box, ID);
/** Returns the token with another last character, which differs only in bits that base64url ignores. */
const respelled = (): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return TOKEN.slice(0, -1) + alphabet[alphabet.indexOf(TOKEN.at(-1)!) + 1]!;
};

describe('notificationOfToken', () => {
  it('returns the notification of its own tokens, which fit in an address', () => {
    expect(TOKEN).toMatch(/^[\w-]{43}$/);
    expect(notificationOfToken(box, TOKEN)).toBe(ID);
  });

  it.each<[string, string]>([
    ['an empty text', ''],
    ['a text that is no token', '../../etc/passwd'],
    ['a token that was cut', TOKEN.slice(0, -1)],
    ['a token with more after it', `${TOKEN}A`],
    ['the id of another notification', acknowledgementToken(box, uuidv7()).slice(0, 21) + TOKEN.slice(21)],
    ['bytes that are no id', Buffer.alloc(32, 255).toString('base64url')],
    ['another spelling of the same bytes', respelled()],
    ['a token of another SECRET_KEY', acknowledgementToken(new SecretBox('j'.repeat(32)), ID)],
  ])('rejects %s', (_, token) => {
    expect(notificationOfToken(box, token)).toBeNull();
  });
});
