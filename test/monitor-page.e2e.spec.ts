import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HOUR_MS } from '../src/domain/durations.js';
import { type ChartTimes } from '../src/modules/checks/response-times.types.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { eventually } from './support/eventually.js';
import { unescaped } from './support/html-forms.js';
import { createMonitor, getMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { signedIn } from './support/people.js';
import { answers, startTarget, type Target } from './support/target.js';

let app: TestApp;
let target: Target;
let browser: Browser;
let up: string;
let down: string;
beforeAll(async () => {
  app = await sharedApp();
  target = await startTarget();
  browser = await signedIn(app, 'editor');
  const api = app.api(app.teams.ours.write);
  target.behave('/down', answers(503));
  up = (await createMonitor(api, httpMonitor(target.url('/up'), { name: 'Healthy', intervalSeconds: 5 }))).id;
  const assertions = [{ source: 'header', property: 'X-Ready', comparison: 'exists' }];
  down = (await createMonitor(api, httpMonitor(target.url('/down'), { name: 'Broken', assertions }))).id;
  await Promise.all([untilStatus(api, up, 'up'), untilStatus(api, down, 'down')]);
  // Figures only count checks at schedule slots, which the first check of a new monitor is not.
  await eventually(async () => expect(await listChecks(api, up, '&trigger=schedule')).not.toEqual([]), 10_000);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

describe('the page of a monitor', () => {
  it('describes the state in a sentence, and shows it in the tab', async () => {
    const { html } = await browser.open(`/monitors/${down}`);
    expect(html).toContain('<title>▲ Broken · Daywatch</title>');
    expect(html).toMatch(/href="\/assets\/\w+\/down\.svg"/);
    expect(html).toMatch(/Down since <time[^>]*>[^<]*<\/time> \(/);
    expect(html).toContain('Unexpected status 503 (expected 2xx).');
    expect(html).toContain('Checked every second.');
  });

  it('links to the runbook', async () => {
    const runbookUrl = 'https://wiki.example/?a=1&b="2"';
    expect((await browser.open(`/monitors/${down}`)).html).not.toContain('Runbook');
    const api = app.api(app.teams.ours.write);
    const { id } = await createMonitor(api, httpMonitor(target.url('/documented'), { runbookUrl, paused: true }));
    const { html } = await browser.open(`/monitors/${id}`);
    expect(html).toContain('<a href="https://wiki.example/?a=1&amp;b=&quot;2&quot;" rel="noreferrer">Runbook</a>');
  });

  it('says when the monitor is deleted automatically', async () => {
    expect((await browser.open(`/monitors/${down}`)).html).not.toContain('Deleted automatically');
    const more = { expiresAt: '2099-01-01T12:00:00.000Z', paused: true };
    const { id } = await createMonitor(app.api(app.teams.ours.write), httpMonitor(target.url('/preview'), more));
    const { html } = await browser.open(`/monitors/${id}`);
    expect(html.replace(/<[^>]*>/g, '')).toContain('Deleted automatically on 2099-01-01 12:00 UTC, with its checks');
  });

  it('links to what the monitor depends on', async () => {
    expect((await browser.open(`/monitors/${down}`)).html).not.toContain('Depends on');
    const more = { parentIds: [up, down], paused: true };
    const { id } = await createMonitor(app.api(app.teams.ours.write), httpMonitor(target.url('/child'), more));
    const { html } = await browser.open(`/monitors/${id}`);
    const link = (parent: string, name: string) => `<a href="/monitors/${parent}" dir="auto">${name}</a></span>`;
    expect(html).toContain(`Depends on <span>${link(up, 'Healthy')}<span>, ${link(down, 'Broken')}`);
  });

  it('shows the uptime of four periods with its basis, and the days as bars and as a table', async () => {
    // Figures of less than a second are not shown.
    const html = await eventually(async () => {
      const page = (await browser.open(`/monitors/${up}`)).html;
      expect(page.match(/<dd>100%<\/dd><dd>No downtime · over \d+ \w+<\/dd>/g)).toHaveLength(4);
      return page;
    });
    for (const label of ['24 hours', '7 days', '30 days', '90 days']) expect(html).toContain(`<dt>${label}</dt>`);
    expect(html).toMatch(/100% over \d+ \w+/);
    expect(html.match(/<g><title>/g)).toHaveLength(90);
    expect(html).toContain('Daily history');
  });

  it('lists its checks with links to their details', async () => {
    const { html } = await browser.open(`/monitors/${down}`);
    const [, path] = /href="(\/monitors\/[^/]+\/checks\/[^"]+)"/.exec(html)!;
    const check = await browser.open(path!);
    expect(check.html).toContain('unexpected_status');
    expect(check.html).toContain('<dd>503</dd>');
    expect(check.html).toContain('First byte');
    expect(check.html).toContain('with the settings of revision 1.');
    expect((await browser.open(`/monitors/${up}/checks/${path!.split('/').at(-1)}`)).status).toBe(404);
  });

  it('lists failed checks separately, in pages', async () => {
    const all = await browser.open(`/monitors/${up}/checks`);
    expect(all.html).toContain('Passed');
    expect((await browser.open(`/monitors/${up}/checks?status=down`)).html).toContain('No failed checks');
    expect((await browser.open(`/monitors/${down}/checks?status=down`)).html).toContain('Failed');
    expect((await browser.open(`/monitors/${down}/checks?cursor=none`)).status).toBe(400);
  });

  it('links to its incidents', async () => {
    const { html } = await browser.open(`/monitors/${down}`);
    expect(html).toMatch(/href="\/incidents\/[0-9a-f-]{36}"[^>]*>Broken is down/);
  });

  it('responds with 404 for a monitor of another team and for an unknown one, by id and by key', async () => {
    const theirs = await createMonitor(
      app.api(app.teams.theirs.write),
      httpMonitor(target.url('/'), { key: 'theirs' }),
    );
    const evidence = ['', '/checks', '/exclusions', '/response-times', '/response-times.json'];
    const paths = [...evidence, '/edit', '/drill', '/exclusions/new', '/pause', '/delete'];
    for (const step of paths) {
      for (const id of [theirs.id, 'key:theirs', randomUUID(), 'undefined']) {
        const { status } = await browser.open(`/monitors/${id}${step}`);
        expect({ id, step, status }).toEqual({ id, step, status: 404 });
      }
    }
    await browser.open('/');
    for (const step of ['/drill', '/exclusions/new', '/pause', '/resume', '/delete', '/edit', '/test', '/checks']) {
      const form = { _token: browser.formToken, name: 'x', revision: '1' };
      expect((await browser.call('POST', `/monitors/${theirs.id}${step}`, { form })).status).toBe(404);
    }
    expect(await getMonitor(app.api(app.teams.theirs.read), theirs.id)).toMatchObject({
      revision: 1,
      status: expect.not.stringMatching('paused'),
    });
  });
});

describe('response times', () => {
  const timesOf = async (id: string, range: string): Promise<ChartTimes & { outages: object[] }> =>
    (await (await browser.call('GET', `/monitors/${id}/response-times.json?range=${range}`)).json()) as never;

  it.each([
    ['1h', 3_600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['30d', 2_592_000_000],
    ['nonsense', 86_400_000],
  ])('cover %s in contiguous steps, which are empty without checks', async (range, lengthMs) => {
    const { fromMs, toMs, stepMs, steps, outages } = await timesOf(up, range);
    expect(stepMs % 5_000).toBe(0);
    expect(toMs - fromMs).toBeGreaterThanOrEqual(lengthMs);
    expect(steps.map((step) => step.fromMs)).toEqual(steps.map((_, index) => fromMs + index * stepMs));
    expect(steps.length).toBeLessThanOrEqual(241);
    const filled = steps.filter(({ count }) => count > 0);
    expect(filled.length).toBeGreaterThan(0);
    for (const { p50Ms, p95Ms, connectMs } of filled) {
      expect(p95Ms).toBeGreaterThanOrEqual(p50Ms!);
      expect(connectMs).toBeGreaterThan(0);
    }
    expect(steps[0]).toMatchObject({ count: 0, p50Ms: null, p95Ms: null, dnsMs: null });
    expect(outages).toEqual([]);
  });

  it('include outages, and exclude failed checks', async () => {
    const { fromMs, steps, outages, toMs } = await timesOf(down, '1h');
    expect(steps.every(({ count }) => count === 0)).toBe(true);
    // On a busy machine, a gap between two checks divides the outage.
    expect(outages.length).toBeGreaterThan(0);
    let before = fromMs;
    for (const { from, to } of outages as { from: number; to: number }[]) {
      expect(from).toBeGreaterThan(before);
      expect(to).toBeGreaterThan(from);
      before = to;
    }
    expect(before).toBeLessThanOrEqual(toMs);
  });

  it('are also available as a table without a script', async () => {
    const { html } = await browser.open(`/monitors/${up}/response-times?range=1h`);
    expect(html).toContain('p95');
    expect(html).toMatch(/<td class="number">[\d.]+ ms<\/td>/);
  });

  it('are drawn by the unmodified release of uPlot, served by the application', async () => {
    const { html } = await browser.open(`/monitors/${up}`);
    const [path] = /\/assets\/\w+\/uPlot\.iife\.min\.js/.exec(html)!;
    const released = await readFile('node_modules/uplot/dist/uPlot.iife.min.js', 'utf8');
    expect((await (await browser.call('GET', path)).text()) === released).toBe(true);
    expect(html).toContain(`data-chart="/monitors/${up}/response-times.json?range=24h"`);
  });
});

/** Returns the arguments of the page's curl commands, without the key. */
function commandsIn(html: string): string[][] {
  const [, block] = /<code>(curl [^<]+)/.exec(unescaped(html))!;
  return block!
    .split(/^curl /m)
    .flatMap((command) => (command === '' ? [] : [command.trim().split(' \\\n  ').slice(1)]));
}

describe('the actions on a monitor', () => {
  const api = () => app.api(app.teams.ours.write);
  const make = async (more = {}) =>
    (await createMonitor(api(), httpMonitor(target.url('/up'), { name: 'Acted on', intervalSeconds: 60, ...more }))).id;

  it('check it now and show the result', async () => {
    const id = await make({ paused: true });
    await browser.open(`/monitors/${id}`);
    const { path, html } = await browser.submit(`/monitors/${id}/checks`);
    expect(path).toBe(`/monitors/${id}?done=checked`);
    expect(html).toContain('Passed');
    expect(html).toContain('Manual');
  });

  it('pause it for a duration with a reason, and resume it', async () => {
    const id = await make();
    await browser.open(`/monitors/${id}/pause`);
    const { path, html } = await browser.submit(`/monitors/${id}/pause`, {
      durationSeconds: '1800',
      reason: 'Work <i>',
    });
    expect(path).toBe(`/monitors/${id}?done=paused`);
    expect(unescaped(html)).toContain('Checks are paused: Work <i>');
    const paused = await getMonitor(api(), id);
    expect(paused).toMatchObject({ status: 'paused', pauseReason: 'Work <i>' });
    expect(Date.parse(paused.pausedUntil!) - Date.parse(paused.pausedAt!)).toBeGreaterThan(1_790_000);
    const address = `${app.origin}/v1/monitors/${id}`;
    expect(commandsIn(html)).toEqual([
      [`'${address}'`],
      [`'${address}/notification-policies'`],
      [`'${app.origin}/v1/exclusions?monitorId=${id}'`],
      ['-X POST', `'${address}/checks?wait=true'`],
      ['-X POST', `'${address}/resume'`],
    ]);
    const resumed = await browser.submit(`/monitors/${id}/resume`);
    expect(commandsIn(resumed.html)).toContainEqual(['-X POST', `'${address}/pause'`]);
    expect(resumed.path).toBe(`/monitors/${id}?done=resumed`);
    await untilStatus(api(), id, 'up');
  });

  it('keep the reason of a pause whose duration they change', async () => {
    const id = await make();
    await api().post(`/v1/monitors/${id}/pause`, { durationSeconds: 600, reason: 'Moving.' });
    const { html } = await browser.open(`/monitors/${id}/pause`);
    expect(html).toMatch(/<h1[^>]*>Change the pause of /);
    await browser.submit(`/monitors/${id}/pause`, { durationSeconds: '14400' });
    expect(await getMonitor(api(), id)).toMatchObject({ status: 'paused', pauseReason: 'Moving.' });
  });

  it.each<[string, string | null]>([
    ['a certain time', new Date(Date.now() + 3 * HOUR_MS).toISOString()],
    ['it is resumed', null],
  ])('keep the end of a pause until %s whose reason they change', async (_, until) => {
    const id = await make();
    await api().post(`/v1/monitors/${id}/pause`, { until, reason: 'Moving.' });
    await browser.open(`/monitors/${id}/pause`);
    await browser.submit(`/monitors/${id}/pause`, { reason: 'Moved.' });
    expect(await getMonitor(api(), id)).toMatchObject({ pausedUntil: until, pauseReason: 'Moved.' });
  });

  it('reject an invalid pause with the errors at its fields', async () => {
    const id = await make();
    await browser.open(`/monitors/${id}/pause`);
    const values = { durationSeconds: '-1', reason: 'x'.repeat(501) };
    const { status, html } = await browser.submit(`/monitors/${id}/pause`, values);
    expect(status).toBe(422);
    expect(html).toContain('id="pause-durationSeconds-error"');
    expect(html).toContain('id="pause-reason-error"');
    expect((await getMonitor(api(), id)).pausedAt).toBeNull();
  });

  it('delete it after a confirmation', async () => {
    const id = await make();
    expect((await browser.open(`/monitors/${id}/delete`)).html).toContain('Delete Acted on?');
    expect((await api().get(`/v1/monitors/${id}`)).status).toBe(200);
    const { path, html } = await browser.submit(`/monitors/${id}/delete`);
    expect(path).toBe('/monitors?done=deleted');
    expect(html).toContain('Monitor deleted');
    expect((await api().get(`/v1/monitors/${id}`)).status).toBe(404);
  });

  it('are not available to viewers', async () => {
    const id = await make();
    const viewer = await signedIn(app, 'viewer');
    const { html, status } = await viewer.open(`/monitors/${id}`);
    expect(status).toBe(200);
    expect(html).not.toMatch(new RegExp(`/monitors/${id}/(edit|pause|delete|resume)`));
    for (const step of ['edit', 'pause', 'delete', 'resume', 'checks', 'test']) {
      const form = { _token: viewer.formToken };
      expect((await viewer.call('POST', `/monitors/${id}/${step}`, { form })).status).toBe(403);
    }
    expect((await getMonitor(api(), id)).revision).toBe(1);
  });
});
