import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PingKeyDto } from '../src/modules/heartbeats/ping-keys/dto/ping-key.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { unescaped } from './support/html-forms.js';
import { signedIn } from './support/people.js';

const PATH = '/settings/ping-keys';
const LINE = /curl [^<]*?'(http[^']*\/ping\/([0-9A-Za-z]{22})\/)nightly-backup'/;

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

/** Creates a key on the page. Returns it, its secret, and the address before the key of a monitor. */
async function makeKey(browser: Browser, name: string) {
  await browser.open(PATH);
  const { status, html } = await browser.submit(PATH, { name });
  expect(status).toBe(200);
  const [, address = '', secret = ''] = LINE.exec(unescaped(html))!;
  const { body } = await app.api(app.teams.ours.read).get<{ data: PingKeyDto[] }>('/v1/ping-keys');
  return { key: body.data.find((one) => one.name === name)!, address, secret };
}

describe('a ping key created on the page', () => {
  it('is shown once, with a line that reports to a monitor', async () => {
    const browser = await signedIn(app, 'editor');
    const { key, address, secret } = await makeKey(browser, 'Cron on web-1');
    expect(key).toMatchObject({
      prefix: secret.slice(0, key.prefix.length),
      createdBy: `user:${browser.person.userId}`,
    });
    const { html } = await browser.open(PATH);
    expect(html).toContain('Cron on web-1');
    expect(html).toContain(`${key.prefix}…`);
    expect(html).not.toContain(secret);
    const report = await fetch(`${address}nightly-backup?create=1`, { method: 'POST' });
    expect([report.status, await report.text()]).toEqual([201, 'Created']);
  });

  it('is rejected with the error beside its field', async () => {
    const browser = await signedIn(app, 'editor');
    await browser.open(PATH);
    const { status, html } = await browser.submit(PATH, { name: ' ' });
    expect(status).toBe(422);
    expect(html).toContain('href="#ping-key-name"');
    expect(html).toContain('id="ping-key-name-error"');
  });

  it('is deleted after a confirmation, and then rejected', async () => {
    const browser = await signedIn(app, 'editor');
    const { key, address } = await makeKey(browser, 'To be deleted');
    const asked = await browser.open(`${PATH}/${key.id}/delete`);
    expect(asked.html).toContain('Delete To be deleted?');
    const { path, html } = await browser.submit(`${PATH}/${key.id}/delete`);
    expect(path).toContain(PATH);
    expect(html).toContain('Ping key deleted');
    expect(html).not.toContain('To be deleted');
    expect((await fetch(`${address}nightly-backup`)).status).toBe(404);
  });
});

describe('a viewer', () => {
  it('sees the keys, but neither creates nor deletes them', async () => {
    await makeKey(await signedIn(app, 'editor'), 'Seen by all');
    const browser = await signedIn(app, 'viewer');
    const { html } = await browser.open(PATH);
    expect(html).toContain('Seen by all');
    expect(html).not.toContain('Create ping key');
    expect(html).not.toContain('/delete');
  });
});
