import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { PASSWORD, prepareSetup } from './support/people.js';

const OWNER = { name: 'Jo <Doe>', email: '  Jo@Example.COM ', password: PASSWORD, teamName: ' Acme ' };

describe('the initial setup', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('is the target of every redirect while there is no user', async () => {
    for (const path of ['/', '/settings/api-keys', '/sign-in', '/settings/team?x=1']) {
      expect((await new Browser(app.origin).open(path)).path).toBe('/setup');
    }
  });

  it('requires the token of the latest start, of which only a hash is stored', async () => {
    const first = await prepareSetup(app);
    const second = await prepareSetup(app);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(second).not.toBe(first);
    const [row] = await app.query<{ instance: string }>('SELECT instance::text FROM instance');
    expect(row?.instance).not.toContain(second);

    const browser = new Browser(app.origin);
    await browser.open(`/setup?token=${first}`);
    for (const token of ['', 'x', first!, `${second}x`]) {
      const { status, html } = await browser.submit('/setup', { ...OWNER, token });
      expect(status).toBe(422);
      expect(html).toContain('The setup token is wrong');
      expect(html).toContain('href="#setup-token"');
      expect(html).not.toContain(PASSWORD);
    }
    expect(await app.query('SELECT 1 FROM users')).toEqual([]);
  });

  it('reports every error beside its field, given a valid token', async () => {
    const browser = new Browser(app.origin);
    await browser.open(`/setup?token=${await prepareSetup(app)}`);
    const { status, html } = await browser.submit('/setup', { name: ' ', email: 'nobody', password: 'short' });
    expect(status).toBe(422);
    for (const field of ['name', 'email', 'password']) {
      expect(html).toContain(`href="#setup-${field}"`);
      expect(html).toMatch(new RegExp(`id="setup-${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="[^"]*-error`));
    }
    expect(html).toContain('Password must have 12 to 200 characters');
    expect(html).toContain('value="nobody"');
  });

  it('creates the owner of the first team, signs them in, and cannot be repeated', async () => {
    const token = await prepareSetup(app);
    const browser = new Browser(app.origin);
    await browser.open(`/setup?token=${token}`);
    const volley = Array.from({ length: 3 }, async () => {
      const other = new Browser(app.origin);
      await other.open(`/setup?token=${token}`);
      return other.submit('/setup', OWNER);
    });
    const answers = await Promise.all(volley);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);

    expect(await app.query('SELECT email, name FROM users')).toEqual([{ email: 'jo@example.com', name: 'Jo <Doe>' }]);
    const teams = 'SELECT t.id, t.name, m.role FROM teams t JOIN members m ON m.team_id = t.id';
    expect(await app.query(teams)).toEqual([{ id: app.teams.ours.id, name: 'Acme', role: 'owner' }]);
    expect(answers.find(({ status }) => status === 200)).toMatchObject({ path: '/' });

    const again = await browser.open(`/setup?token=${token}`);
    expect(again.status).toBe(409);
    expect(again.html).toContain('The setup token works only once and has already been used.');
    expect((await browser.call('POST', '/setup', { form: { ...OWNER, token: token! } })).status).toBe(409);
    expect(await prepareSetup(app)).toBeNull();
    expect((await new Browser(app.origin).open('/')).path).toBe('/sign-in');
  });
});

describe('wrong setup tokens', () => {
  it('are throttled by address', async () => {
    const app = await startApp();
    try {
      await prepareSetup(app);
      const browser = new Browser(app.origin);
      const form = { ...OWNER, token: 'guess' };
      for (let n = 0; n < 10; n += 1) expect((await browser.call('POST', '/setup', { form })).status).toBe(422);
      const refused = await browser.call('POST', '/setup', { form });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.text()).toContain('Too many wrong setup tokens from this address.');
    } finally {
      await app.close();
    }
  });
});

describe('ADMIN_EMAIL and ADMIN_PASSWORD', () => {
  it('create the owner at the first start only', async () => {
    const app = await startApp({ ADMIN_EMAIL: 'Root@Example.com', ADMIN_PASSWORD: PASSWORD });
    try {
      expect(await prepareSetup(app)).toBeNull();
      expect(await prepareSetup(app)).toBeNull();
      expect(await app.query('SELECT email FROM users')).toEqual([{ email: 'root@example.com' }]);
      const browser = new Browser(app.origin);
      expect((await browser.open('/')).path).toBe('/sign-in');
      const { path, html } = await browser.submit('/sign-in', { email: 'root@example.com', password: PASSWORD });
      expect(path).toBe('/');
      expect(html).toContain('>Root · ');
    } finally {
      await app.close();
    }
  });

  it('abort the start if the password is not acceptable', async () => {
    const app = await startApp({ ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'password1234' });
    try {
      await expect(prepareSetup(app)).rejects.toThrow(/ConfigError: ADMIN_PASSWORD: (?!.*password1234)/);
      expect(await app.query('SELECT 1 FROM users')).toEqual([]);
    } finally {
      await app.close();
    }
  });
});
