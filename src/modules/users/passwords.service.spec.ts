import { beforeEach, describe, expect, it } from '@jest/globals';
import { validateBody } from '../../http/body/validation.js';
import { NewPasswordDto } from './dto/new-user.dto.js';
import { PasswordsService } from './passwords.service.js';

const ADDRESS = '192.0.2.1';

let passwords: PasswordsService;
beforeEach(() => {
  passwords = new PasswordsService();
});

describe('a password', () => {
  it.each([
    ['200 letters', 'x'.repeat(200)],
    ['200 emoji', '🔑'.repeat(200)],
    ['200 emoji in their graphical form', '☎\uFE0F'.repeat(200)],
  ])('of %s is accepted when it is set, and when it is used', async (_, password) => {
    expect(validateBody(NewPasswordDto, { password })).toEqual({ password });
    expect(await passwords.check(await passwords.hash(password), password, ADDRESS)).toBe(true);
  });

  it('that is too long is refused, whatever is stored', async () => {
    const password = '🔑'.repeat(201);
    expect(await passwords.check(await passwords.hash(password), password, ADDRESS)).toBe(false);
  });

  it('that is wrong, or of nobody, is refused', async () => {
    expect(await passwords.check(await passwords.hash('one'), 'other', ADDRESS)).toBe(false);
    expect(await passwords.check(null, '', ADDRESS)).toBe(false);
  });
});
