import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { readConfig } from '../../config/app-config.js';
import { ConfigModule } from '../../config/config.module.js';
import { DatabaseModule } from '../../database/database.module.js';
import { Transactions } from '../../database/tx.js';
import { DAY_MS } from '../../domain/durations.js';
import { APPLICATION_OPTIONS, applyHttpConventions } from '../../http/conventions.js';
import { HttpModule } from '../../http/http.module.js';
import { KeyVerifier, type Principal, type TeamId } from '../../http/auth/principal.js';
import { type Problem } from '../../http/problems/problem.js';
import { type Turns } from '../../http/throttle/turns.js';
import { type SubscriberMail } from '../mail/subscriber-mail.service.js';
import { MonitorSelectionService } from '../monitors/definition/monitor-selection.service.js';
import { MonitorWritesService } from '../monitors/definition/monitor-writes.service.js';
import { type PublicPageDto } from './dto/public-page.dto.js';
import { type StatusPageDto } from './dto/status-page.dto.js';
import { ExclusionsModule } from '../exclusions/exclusions.module.js';
import { StatusPageWritesService } from './status-page-writes.service.js';
import { StatusPagesModule } from './status-pages.module.js';
import { Publications } from './subscribers/publications.service.js';

const MISSING = '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55';

/** Accepts the id of a team as an API key. */
class TeamIsKey extends KeyVerifier {
  verify(token: string): Promise<Principal> {
    return Promise.resolve({ keyId: token, name: token, teamId: token as TeamId, scopes: ['admin'] });
  }
}

@Global()
@Module({ providers: [{ provide: KeyVerifier, useClass: TeamIsKey }], exports: [KeyVerifier] })
class KeysModule {}

let database: TestDatabase;
let app: NestExpressApplication;
let origin: string;
let team: TeamId;
let slug: string;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({
    DATABASE_URL: database.url,
    SECRET_KEY: 'k'.repeat(32),
    PUBLIC_URL: 'https://status.example.com',
  });
  const root = { module: class Root {}, imports: [ConfigModule.of(config), DatabaseModule, HttpModule] };
  root.imports.push(KeysModule, StatusPagesModule, ExclusionsModule);
  app = await NestFactory.create<NestExpressApplication>(root, { ...APPLICATION_OPTIONS, logger: ['error', 'fatal'] });
  applyHttpConventions(app);
  await app.listen(0, '127.0.0.1');
  origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
});

afterAll(async () => {
  await app.close();
  await database.drop();
});

beforeEach(async () => {
  team = await newTeam();
  slug = `page-${++serial}`;
});

const sql = <Row>(text: string, parameters: unknown[] = []) => app.get(DataSource).query<Row[]>(text, parameters);

async function newTeam(): Promise<TeamId> {
  const id = uuidv7() as TeamId;
  await sql('INSERT INTO teams (id, name) VALUES ($1, $2)', [id, 'Team']);
  return id;
}

async function newMonitor(name: string, fields: Record<string, unknown> = {}, owner = team): Promise<string> {
  const body = { name, type: 'http', url: 'https://secret-target.example.com/path', ...fields };
  return (await app.get(MonitorWritesService, { strict: false }).create(owner, body)).id;
}

async function call<T = Problem>(method: string, path: string, json?: unknown, key: TeamId | null = team) {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const body = json === undefined ? undefined : JSON.stringify(json);
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(`${origin}${path}`, { method, headers, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text && JSON.parse(text)) as T };
}

const pages = '/v1/status-pages';
const create = async (fields: Record<string, unknown> = {}) =>
  (await call<StatusPageDto>('POST', pages, { name: 'Shop', slug, ...fields })).body;
const patch = (id: string, fields: unknown) => call<StatusPageDto>('PATCH', `${pages}/${id}`, fields);
const faults = ({ status, body }: { status: number; body: unknown }) =>
  [status, ...((body as Problem).errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)].join(' ');
const setStatus = (monitorId: string, status: string) =>
  sql('UPDATE monitor_states SET status = $2 WHERE monitor_id = $1', [monitorId, status]);
const visit = (path: string, password?: string) =>
  fetch(`${origin}/status/${path}`, {
    headers:
      password === undefined ? {} : { authorization: `Basic ${Buffer.from(`me:${password}`).toString('base64')}` },
  });

describe('status pages', () => {
  it('can be created, read, listed and deleted', async () => {
    const shop = await newMonitor('Shop API', { key: 'shop' });
    const sent = {
      name: 'Shop',
      slug,
      key: 'main',
      description: 'All of it',
      timezone: 'Europe/Berlin',
      historyDays: 30,
    };
    const components = [{ monitorId: 'key:shop', group: 'Core', description: 'x', showUptime: false }];
    const made = await call<StatusPageDto>('POST', pages, { ...sent, theme: 'dark', components });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${pages}/${made.body.id}`);
    expect(made.body).toEqual({
      ...sent,
      id: expect.any(String),
      revision: 1,
      published: true,
      accessType: 'public',
      theme: 'dark',
      accentColor: null,
      customDomain: null,
      logoUrl: null,
      homepageUrl: null,
      showLocations: false,
      announceDetected: false,
      announceAfterSeconds: 300,
      status: 'unknown',
      publicUrl: `https://status.example.com/status/${slug}`,
      components: [
        {
          id: expect.any(String),
          monitorId: shop,
          name: 'Shop API',
          description: 'x',
          group: 'Core',
          showUptime: false,
        },
      ],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: made.body.createdAt,
    });
    await setStatus(shop, 'up');
    const read = { ...made.body, status: 'operational' };
    expect((await call('GET', `${pages}/key:main`)).body).toEqual(read);
    expect((await call('GET', `${pages}/${made.body.id}`)).body).toEqual(read);
    expect((await call('GET', `${pages}?slug=${slug}&key=main`)).body).toEqual({ data: [read], nextCursor: null });
    expect((await call('GET', `${pages}?key=other`)).body).toEqual({ data: [], nextCursor: null });
    expect((await call('DELETE', `${pages}/key:main`)).status).toBe(204);
    expect((await call('DELETE', `${pages}/key:main`)).status).toBe(404);
    expect(await sql('SELECT 1 FROM status_page_components WHERE team_id = $1', [team])).toEqual([]);
  });

  it('are listed newest first, each once, while others are created', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3, 4, 5]) ids.unshift((await create({ slug: `${slug}-${n}` })).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const { body } = await call<{ data: StatusPageDto[]; nextCursor: string | null }>('GET', pages + query);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.nextCursor;
      await create({ slug: `${slug}-late-${seen.length}` });
    }
    expect(seen).toEqual(ids);
  });

  it('are accessible only to their team, by id and by key', async () => {
    const { id } = await create({ key: 'main' });
    const other = await newTeam();
    for (const address of [id, 'key:main', MISSING, 'key:none', ':id', 'undefined', 'null']) {
      for (const [method, body] of [['GET'], ['PATCH', { bogus: 1 }], ['DELETE']] as [string, unknown?][]) {
        expect((await call(method, `${pages}/${address}`, body, other)).status).toBe(404);
      }
    }
    expect((await call('GET', pages, undefined, other)).body).toEqual({ data: [], nextCursor: null });
    expect((await call('GET', `${pages}/${id}`)).status).toBe(200);
    expect((await call('GET', pages, undefined, null)).status).toBe(401);
  });

  it('have slugs that are unique in the instance and keys that are unique in the team', async () => {
    await create({ key: 'main' });
    const other = await newTeam();
    const codes = async (fields: object, key = team) => {
      const { status, body } = await call('POST', pages, { name: 'n', ...fields }, key);
      return `${status} ${body.code}`;
    };
    expect(await codes({ slug }, other)).toBe('409 slug_taken');
    expect(await codes({ slug: `${slug}x`, key: 'main' })).toBe('409 key_taken');
    expect(await codes({ slug: `${slug}x`, key: 'main' }, other)).toBe('201 undefined');
    const raced = await Promise.all([1, 2, 3, 4].map(() => codes({ slug: `${slug}-race` })));
    expect(raced.toSorted()).toEqual(['201 undefined', ...Array<string>(3).fill('409 slug_taken')]);
    const second = await create({ slug: `${slug}-2` });
    expect((await patch(second.id, { slug })).body).toMatchObject({ code: 'slug_taken' });
    expect((await patch(second.id, { key: 'main' })).body).toMatchObject({ code: 'key_taken' });
  });

  it('can be updated by merge patch', async () => {
    const [a, b, c] = [await newMonitor('A'), await newMonitor('B', { key: 'b' }), await newMonitor('C')];
    const page = await create({ historyDays: 7, components: [{ monitorId: a, name: 'First' }, { monitorId: b }] });
    const [first, second] = page.components;

    const renamed = (await patch(page.id, { name: 'New', historyDays: null })).body;
    expect(renamed).toEqual({ ...page, name: 'New', historyDays: 90, revision: 2, updatedAt: expect.any(String) });

    const { body: placed } = await patch(page.id, {
      components: [{ monitorId: c }, { monitorId: 'key:b' }, { ...first }],
    });
    expect(placed.components.map(({ id }) => id)).toEqual([expect.any(String), second!.id, first!.id]);
    expect(placed.components[2]).toEqual(first);

    const { body: short } = await patch(page.id, { monitorIds: ['key:b', a] });
    expect(short.components).toEqual([second, { ...first, name: 'A' }]);
    expect((await patch(page.id, { components: null })).body.components).toEqual([]);
  });

  it('are not partially written by an invalid request', async () => {
    const mine = await newMonitor('Mine');
    const foreign = await newMonitor('Theirs', { key: 'theirs' }, await newTeam());
    const { id: other } = (await create({ slug: `${slug}-o`, monitorIds: [mine] })).components[0]!;
    const page = await create({ monitorIds: [mine] });
    const refused: [object, string][] = [
      [{ monitorIds: [mine, foreign] }, '422 /monitorIds/1 invalid_value'],
      [{ name: 'X', monitorIds: ['key:theirs'] }, '422 /monitorIds/0 invalid_value'],
      [{ name: 'X', components: [{ monitorId: MISSING }] }, '422 /components/0/monitorId invalid_value'],
      [{ name: 'X', components: [{ monitorId: 'nonsense' }] }, '422 /components/0/monitorId invalid_value'],
      [{ components: [{ id: other, monitorId: mine }] }, '422 /components/0/id invalid_value'],
      [{ components: [{ id: 'x', monitorId: mine }] }, '422 /components/0/id invalid_value'],
      [{ monitorIds: [mine, mine.toUpperCase()] }, '422 /monitorIds/1 duplicate'],
      [{ components: [], monitorIds: [] }, '422 /monitorIds invalid_value'],
      [{ name: 'X', revision: 3 }, '422 /revision read_only_field'],
      [{ name: 'X', teamId: team }, '422 /teamId unknown_field'],
    ];
    for (const [body, expected] of refused) expect(faults(await patch(page.id, body))).toBe(expected);
    expect(faults(await call('POST', pages, { name: 'X', slug: `${slug}-n`, monitorIds: [foreign] }))).toBe(
      '422 /monitorIds/0 invalid_value',
    );
    expect((await call('GET', `${pages}/${page.id}`)).body).toEqual(page);
    expect(await sql('SELECT 1 FROM status_pages WHERE slug = $1', [`${slug}-n`])).toEqual([]);
  });

  it('lose no write when patches race', async () => {
    const { id } = await create();
    const fields = { name: 'N', description: 'D', timezone: 'Europe/Berlin', historyDays: 5, theme: 'dark' };
    const answers = await Promise.all(Object.entries(fields).map(([name, value]) => patch(id, { [name]: value })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await call('GET', `${pages}/${id}`)).body).toMatchObject({ ...fields, revision: 6 });
  });

  it('lose the components of a deleted monitor', async () => {
    const [a, b] = [await newMonitor('A'), await newMonitor('B')];
    const page = await create({ monitorIds: [a, b] });
    await app.get(MonitorWritesService, { strict: false }).remove(team, a);
    expect((await call<StatusPageDto>('GET', `${pages}/${page.id}`)).body.components).toEqual([page.components[1]]);
    expect((await patch(page.id, { name: 'Still fine' })).status).toBe(200);
  });
});

describe('passwords of status pages', () => {
  /** Lets four hashes of the team wait until `release` is called. */
  function occupyHashing(): { release: () => Promise<void> } {
    const turns = Reflect.get(app.get(StatusPageWritesService, { strict: false }), 'hashing') as Turns;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const hashes = [1, 2, 3, 4].map(() => turns.take(team, () => opened));
    return {
      release: async () => {
        open();
        await Promise.all(hashes);
      },
    };
  }
  const protectedPage = (more: object) => ({ name: 'Shop', accessType: 'password', password: 'open sesame', ...more });

  it('are rejected with 429 while four of the team wait to be hashed', async () => {
    const { id } = await create();
    const { release } = occupyHashing();
    try {
      const refused = [
        await call('POST', pages, protectedPage({ slug: `${slug}-created` })),
        await call('PUT', `${pages}/key:put`, protectedPage({ slug: `${slug}-put` })),
        await patch(id, { accessType: 'password', password: 'open sesame' }),
      ];
      for (const { status, headers, body } of refused) {
        expect({ status, retryAfter: headers.get('retry-after'), body }).toMatchObject({
          status: 429,
          retryAfter: '2',
          body: { code: 'rate_limited' },
        });
      }
      expect((await call('POST', pages, { name: 'Public', slug: `${slug}-public` })).status).toBe(201);
    } finally {
      await release();
    }
    expect((await call('POST', pages, protectedPage({ slug: `${slug}-created` }))).status).toBe(201);
  });

  it('are not hashed, and do not wait to be hashed, if the slug is taken', async () => {
    await create();
    const { id } = await create({ slug: `${slug}-other` });
    const { release } = occupyHashing();
    try {
      const refused = [
        await call('POST', pages, protectedPage({ slug })),
        await call('PUT', `${pages}/key:put`, protectedPage({ slug })),
        await patch(id, { slug, accessType: 'password', password: 'open sesame' }),
      ];
      expect(refused.map(({ status, body }) => [status, (body as unknown as Problem).code])).toEqual(
        Array(3).fill([409, 'slug_taken']),
      );
    } finally {
      await release();
    }
  });
});

describe('a public page', () => {
  it('shows the same states and figures in each form, and no other data of the monitors', async () => {
    const key = 'very-internal-key';
    const monitor = await newMonitor('API', {
      key,
      headers: { 'x-internal': 'header-value' },
      description: 'internal',
    });
    const [component] = (await create({ monitorIds: [monitor], historyDays: 3 })).components;
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const at = (ms: number) => new Date(midnight + ms);
    await sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [monitor, at(-2 * DAY_MS)]);
    await sql('UPDATE monitor_states SET status = $2, status_since = $3 WHERE monitor_id = $1', [
      monitor,
      'up',
      at(-1),
    ]);
    const transitions: [number, string, string][] = [
      [-2 * DAY_MS, 'pending', 'up'],
      [-DAY_MS - 3_600_000, 'up', 'down'],
      [-DAY_MS + 1_800_000, 'down', 'up'],
    ];
    for (const [ms, from, to] of transitions) {
      await sql(
        `INSERT INTO transitions (id, monitor_id, location, at, confirmed_at, from_status, to_status)
         VALUES ($1, $2, 'default', $3, $3, $4, $5)`,
        [uuidv7(), monitor, at(ms), from, to],
      );
    }

    const response = await visit(`${slug}.json`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=10');
    const text = await response.text();
    const view = JSON.parse(text) as PublicPageDto;
    expect(view).toMatchObject({ name: 'Shop', status: 'operational', timezone: 'UTC', historyDays: 3 });
    const [shown] = view.components;
    expect(shown).toMatchObject({ id: component!.id, name: 'API', status: 'up', since: at(-1).toISOString() });
    expect(shown!.days!.map(({ downSeconds, upSeconds }) => [downSeconds, upSeconds]).slice(0, 2)).toEqual([
      [3_600, 82_800],
      [1_800, 84_600],
    ]);
    expect(shown!.days!.map(({ incidentCount }) => incidentCount)).toEqual([1, 1, 0]);
    expect(shown!.days![0]!.uptimePercent).toBe(95.833);

    const html = await (await visit(slug)).text();
    expect(html).toContain('All systems are operational.');
    expect(html).toContain('95.833%');
    // All of the elapsed time was measured, although today is not over.
    expect(html).toMatch(/aria-label="Uptime, last 3 days: \d+\.\d{3}%\. The table/);
    for (const secret of ['secret-target', monitor, key, 'header-value', 'internal', team]) {
      expect(text).not.toContain(secret);
      expect(html).not.toContain(secret);
    }
  });

  it('states what an uptime was measured over if that is less than 99% of the elapsed time', async () => {
    const monitor = await newMonitor('API');
    await create({ monitorIds: [monitor], historyDays: 3 });
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const from = new Date(midnight - DAY_MS);
    await sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [monitor, from]);
    await sql(`UPDATE monitor_states SET status = 'up', status_since = $2 WHERE monitor_id = $1`, [monitor, from]);
    await sql(
      `INSERT INTO transitions (id, monitor_id, location, at, confirmed_at, from_status, to_status)
       VALUES ($1, $2, 'default', $3, $3, 'pending', 'up')`,
      [uuidv7(), monitor, from],
    );
    const html = await (await visit(slug)).text();
    expect(html).toMatch(/aria-label="Uptime, last 3 days: 100% over 1\.\d days\. The table/);
  });

  it('hides the history of components without showUptime', async () => {
    const monitor = await newMonitor('API');
    await create({ components: [{ monitorId: monitor, showUptime: false }] });
    const { components } = (await (await visit(`${slug}.json`)).json()) as PublicPageDto;
    expect(components[0]).toMatchObject({
      uptimePercent: null,
      coveragePercent: null,
      observedSeconds: null,
      days: null,
    });
    expect(await (await visit(slug)).text()).not.toContain('Daily history');
  });

  it('is found only by the slug of a published page, otherwise returns an error page or a problem', async () => {
    const { id } = await create();
    expect((await visit(slug)).status).toBe(200);
    expect((await visit(`${slug}?utm_source=x`)).status).toBe(200);
    await patch(id, { published: false });
    for (const path of [slug, 'nobody', 'UPPER', 'a.b', 'x'.repeat(64), '%F0%9F%98%80', `${slug}%20`]) {
      const page = await visit(path);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('Status page not found');
      const json = await visit(`${path}.json`);
      expect([json.status, json.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    }
    expect((await visit('')).status).toBe(404);
    expect((await visit('_/nothing.css')).status).toBe(404);
    expect((await visit('_/constructor')).status).toBe(404);
    expect((await visit('_/incidents/x')).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('requires its password in each form', async () => {
    const { id } = await create({ accessType: 'password', password: 'open sesame' });
    for (const path of [slug, `${slug}.json`]) {
      for (const password of [undefined, 'close sesame', '']) {
        const refused = await visit(path, password);
        expect(refused.status).toBe(401);
        expect(refused.headers.get('www-authenticate')).toBe(`Basic realm="status page ${slug}", charset="UTF-8"`);
        expect(await refused.text()).not.toContain('Shop');
      }
      const admitted = await visit(path, 'open sesame');
      expect(admitted.status).toBe(200);
      expect(admitted.headers.get('cache-control')).toBe('private, no-store');
      expect(await admitted.text()).toContain('Shop');
    }
    const stored = await sql<{ password_hash: string }>('SELECT password_hash FROM status_pages WHERE id = $1', [id]);
    expect(stored[0]!.password_hash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify((await call('GET', `${pages}/${id}`)).body)).not.toMatch(/argon2|sesame/);

    expect((await patch(id, { name: 'Shop 2' })).status).toBe(200);
    expect((await visit(slug, 'open sesame')).status).toBe(200);
    await patch(id, { password: 'another word' });
    expect([(await visit(slug, 'open sesame')).status, (await visit(slug, 'another word')).status]).toEqual([401, 200]);
    await patch(id, { accessType: 'public' });
    expect((await visit(slug)).status).toBe(200);
    expect(faults(await patch(id, { accessType: 'password' }))).toBe('422 /password required');
  });

  it('renders no stored text as markup', async () => {
    const payloads = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '</title><svg onload=alert(1)>'];
    payloads.push("'-alert(1)-'", '{{7*7}}', '</style><style>*{display:none}', '&lt;b&gt;', '\u202Eevil');
    const text = payloads.join(' ');
    const monitor = await newMonitor('M');
    const homepageUrl = `https://example.com/"onmouseover="alert(1)`;
    const logoUrl = `https://cdn.example.com/'"><script>.svg`;
    await create({
      name: text.slice(0, 200),
      description: text,
      homepageUrl,
      logoUrl,
      components: [{ monitorId: monitor, name: text.slice(0, 200), description: text, group: text.slice(0, 100) }],
    });
    await setStatus(monitor, 'down');
    const response = await visit(slug);
    const html = await response.text();
    expect(response.status).toBe(200);
    // Only known tags appear, and no attribute that could run a script or apply a style.
    const tags = [...html.matchAll(/<([a-z0-9]+)((?:"[^"]*"|[^">])*)>/gi)];
    const known =
      /^(html|head|meta|title|link|body|div|header|h1|h2|h3|a|p|main|svg|path|circle|rect|g|defs|pattern|time)$/;
    const alsoKnown = /^(section|ul|li|span|details|summary|table|thead|tbody|tr|th|td|footer|img)$/;
    const others = tags.filter(([, tag]) => !known.test(tag!) && !alsoKnown.test(tag!));
    expect(others.map(([tag]) => tag)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/status\/_\/\w+\/status-page\.js">$/),
      '<noscript>',
      '<button class="switch" type="button" data-switch="true" hidden>',
    ]);
    const attributes = tags.flatMap(([, , rest]) => rest!.replace(/"[^"]*"/g, '').match(/[a-z-]+(?==)/gi) ?? []);
    expect(attributes.filter((name) => /^on|^style$/i.test(name))).toEqual([]);
    expect(tags.filter(([, tag]) => tag === 'img')).toHaveLength(1);

    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("img-src 'self' https://cdn.example.com;");
    expect(policy).not.toContain('unsafe');
  });

  const linksOf = (html: string): string[] =>
    [...html.matchAll(/href="(\/status\/_\/[^"]+)"/g)].map(([, path]) => path!);

  it('links to its styles and its icon', async () => {
    await create();
    const links = linksOf(await (await visit(slug)).text());
    expect(links.map((path) => path.split('/').at(-1))).toEqual([
      'inter-latin-wght-normal.woff2',
      'fonts.css',
      'tokens.css',
      'days.css',
      'status-page.css',
      'unknown.svg',
    ]);
    const types = await Promise.all(
      links.map(async (path) => (await fetch(origin + path)).headers.get('content-type')),
    );
    expect(types).toEqual(['font/woff2', ...Array<string>(4).fill('text/css; charset=utf-8'), 'image/svg+xml']);
  });

  it('links to one more style if it has an accent colour, under the same policy', async () => {
    await create({ accentColor: '#ABCDEF' });
    const response = await visit(slug);
    expect(response.headers.get('content-security-policy')).toContain("style-src 'self';");
    const own = linksOf(await response.text())[5];
    expect(own).toMatch(/^\/status\/_\/\w+\/accent-abcdef\.css\?v=[0-9a-f]{12}$/);
    const style = await fetch(origin + own!);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await style.text()).toContain('border-top: 8px solid #abcdef }');
    for (const name of [
      'accent-ABCDEF.css',
      'accent-abc.css',
      'accent-abcdef0.css',
      'accent-abcdeg.css',
      'accent-.css',
    ])
      expect((await visit(`_/0/${name}`)).status).toBe(404);
  });
});

describe('publications', () => {
  it('are published, and due, at the time of the database', async () => {
    const monitorId = await newMonitor('Shop API');
    const { id } = await create({ monitorIds: [monitorId], announceDetected: true, announceAfterSeconds: 0 });
    await sql(
      `INSERT INTO status_page_subscribers (id, team_id, status_page_id, email, status)
       VALUES ($1, $2, $3, 'jo@example.com', 'active')`,
      [uuidv7(), team, id],
    );
    await sql(
      `WITH made AS (
         INSERT INTO incidents (id, team_id, kind, title, impact, started_at, confirmed_at, outage_count)
         VALUES ($1, $2, 'detected', 'Shop API is down', 'down', now(), now(), 1))
       INSERT INTO incident_monitors (incident_id, monitor_id, team_id) VALUES ($1, $3, $2)`,
      [uuidv7(), team, monitorId],
    );
    const options = { strict: false };
    const [transactions, selections] = [app.get(Transactions, options), app.get(MonitorSelectionService, options)];
    const mail = { canSend: true } as SubscriberMail;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS);
    try {
      await new Publications(app.get(DataSource), transactions, selections, mail).announceDetected();
    } finally {
      clock.mockRestore();
    }
    const timely = `BETWEEN now() - interval '1 hour' AND now() + interval '1 hour'`;
    expect(
      await sql(
        `SELECT s.due_at ${timely} AS is_due, p.published_at ${timely} AS is_published
         FROM status_page_subscribers s JOIN subscriber_publications p ON p.status_page_id = s.status_page_id
         WHERE s.status_page_id = $1`,
        [id],
      ),
    ).toEqual([{ is_due: true, is_published: true }]);
  });
});
