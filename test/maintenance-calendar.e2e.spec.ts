import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../src/domain/durations.js';
import { type PublicPageDto } from '../src/modules/status-pages/dto/public-page.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPage } from './support/status-pages.js';

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

async function publish(more: Record<string, unknown> = {}) {
  const make = () => createMonitor(api, httpMonitor('http://127.0.0.1:9/', { name: 'Internal', paused: true }));
  const [monitor, other] = [await make(), await make()];
  const components = [
    { monitorId: monitor.id, name: 'Shop, online' },
    { monitorId: other.id, name: 'Search' },
  ];
  const { slug } = await createPage(api, { slug: randomUUID(), components, ...more });
  const schedule = async (name: string, window: Record<string, unknown> = {}): Promise<string> => {
    const body = { name, monitorIds: [monitor.id], ...window };
    const { status, body: made } = await api.post<{ id: string }>('/v1/maintenance-windows', body);
    expect({ status, made }).toMatchObject({ status: 201 });
    return made.id;
  };
  return { monitor, other, slug, schedule, path: `/status/${slug}/maintenance.ics` };
}

/** Returns a moment, in whole seconds. */
const at = (days: number): string => new Date(Math.floor((Date.now() + days * DAY_MS) / 1_000) * 1_000).toISOString();
const value = (time: string): string => time.slice(0, 19).replace(/[-:]/g, '') + 'Z';

/** Returns the events of a calendar, unfolded, after checking the form of every line. */
async function eventsOf(path: string): Promise<Record<string, string>[]> {
  const response = await fetch(app.origin + path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const text = await response.text();
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  expect([lines[0], lines[1], lines.at(-2), lines.at(-1)]).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'END:VCALENDAR',
    '',
  ]);
  const events: Record<string, string>[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([^:;]+)[^:]*:(.*)$/.exec(line) ?? [];
    if (line === 'BEGIN:VEVENT') events.push({});
    else if (events.length > 0 && name !== '' && name !== 'END') events.at(-1)![name] = rest;
  }
  return events;
}

describe('the calendar of a page', () => {
  it('contains a window with its times, texts and page, linked from the page', async () => {
    const { monitor, slug, schedule, path } = await publish();
    const times = { startsAt: at(20), endsAt: at(20.5) };
    const name = `New disks; ${'long, '.repeat(20)}`.trim();
    await schedule(name, { ...times, description: 'Slower.\nA bit.' });
    const [event, ...rest] = await eventsOf(path);
    expect(rest).toEqual([]);
    expect(event).toEqual({
      UID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      DTSTAMP: expect.stringMatching(/^\d{8}T\d{6}Z$/),
      'LAST-MODIFIED': event!.DTSTAMP,
      DTSTART: value(times.startsAt),
      DTEND: value(times.endsAt),
      SUMMARY: name.replace(/[;,]/g, '\\$&'),
      DESCRIPTION: 'Slower.\\nA bit.\\n\\nAffected: Shop\\, online.',
      URL: `${app.origin}/status/${slug}`,
      STATUS: 'CONFIRMED',
      TRANSP: 'TRANSPARENT',
    });
    for (const secret of [monitor.id, 'Internal']) expect(JSON.stringify(event)).not.toContain(secret);
    const html = await (await fetch(`${app.origin}/status/${slug}`)).text();
    expect(html).toMatch(
      new RegExp(`<summary>Subscribe</summary>.*href="/status/${slug}/feed.atom".*href="${path}"`, 's'),
    );
  });

  it('contains each occurrence of a recurring window within 90 days, with ids that do not change', async () => {
    const { schedule, path } = await publish();
    const times = { startsAt: at(1), endsAt: at(1.1) };
    const id = await schedule('Weekly', { ...times, rrule: 'FREQ=WEEKLY' });
    const events = await eventsOf(path);
    expect(events.map(({ DTSTART }) => DTSTART)).toEqual(
      Array.from({ length: 13 }, (_, week) =>
        value(new Date(Date.parse(times.startsAt) + week * 7 * DAY_MS).toISOString()),
      ),
    );
    const ids = events.map(({ UID }) => UID);
    expect(new Set(ids).size).toBe(13);
    await api.patch(`/v1/maintenance-windows/${id}`, { name: 'Every week' });
    const renamed = await eventsOf(path);
    expect(renamed.map(({ UID }) => UID)).toEqual(ids);
    expect(renamed[0]!.SUMMARY).toBe('Every week');
  });

  it('contains maintenance that is in progress or over, and neither private nor deleted windows', async () => {
    const { schedule, path } = await publish();
    const running = await schedule('Running');
    await api.post(`/v1/maintenance-windows/${running}/start`, { durationSeconds: 600 });
    const over = await schedule('Over');
    await api.post(`/v1/maintenance-windows/${over}/start`, { durationSeconds: 600 });
    await api.post(`/v1/maintenance-windows/${over}/end`);
    const times = { startsAt: at(1), endsAt: at(1.1) };
    await schedule('Private', { ...times, public: false });
    const cancelled = await schedule('Cancelled', times);
    await schedule('Far off', { startsAt: at(100), endsAt: at(101) });
    const names = async () => (await eventsOf(path)).map(({ SUMMARY }) => SUMMARY).sort();
    expect(await names()).toEqual(['Cancelled', 'Over', 'Running']);
    await api.delete(`/v1/maintenance-windows/${cancelled}`);
    expect(await names()).toEqual(['Over', 'Running']);
  });

  it('contains one event of maintenance that a monitor leaves and joins again', async () => {
    const { monitor, other, slug, schedule, path } = await publish();
    const id = await schedule('Moved', { monitorIds: [monitor.id, other.id] });
    const window = `/v1/maintenance-windows/${id}`;
    await api.post(`${window}/start`, { durationSeconds: 600 });
    const [announced] = await eventsOf(path);
    const isStill = async (affected: string) => {
      const events = await eventsOf(path);
      expect(events).toEqual([expect.objectContaining({ UID: announced!.UID, DTSTART: announced!.DTSTART })]);
      expect(events[0]!.DESCRIPTION).toBe(affected);
    };
    await isStill('Affected: Shop\\, online\\, Search.');
    await api.patch(window, { monitorIds: [monitor.id] });
    await isStill('Affected: Shop\\, online.');
    for (const monitorIds of [[other.id], [monitor.id]]) await api.patch(window, { monitorIds });
    await isStill('Affected: Shop\\, online.');
    const alone = await createPage(api, { slug: randomUUID(), monitorIds: [monitor.id] });
    expect(await eventsOf(`/status/${alone.slug}/maintenance.ics`)).toHaveLength(1);
    await api.patch(window, { monitorIds: [monitor.id, other.id] });
    await api.post(`${window}/end`);
    await isStill('Affected: Shop\\, online\\, Search.');
    const history = await (await fetch(`${app.origin}/status/${slug}/history`)).text();
    expect(history.split('>Moved<')).toHaveLength(2);
  });

  it('contains maintenance that is in progress, however many windows lie ahead', async () => {
    const { slug, schedule, path } = await publish();
    const running = await schedule('Running');
    await api.post(`/v1/maintenance-windows/${running}/start`, { durationSeconds: 600 });
    const ahead = Array.from({ length: 50 }, (_, n) => schedule(`In ${n}`, { startsAt: at(1), endsAt: at(1.1) }));
    await Promise.all(ahead);
    expect((await eventsOf(path)).map(({ SUMMARY }) => SUMMARY)).toContain('Running');
    const page = (await (await fetch(`${app.origin}/status/${slug}.json`)).json()) as PublicPageDto;
    expect(page.maintenance[0]).toMatchObject({ name: 'Running', active: true });
  });

  it('is valid without events, and if maintenance lasts less than a second', async () => {
    const { schedule, path } = await publish();
    expect(await eventsOf(path)).toEqual([]);
    const empty = await (await fetch(app.origin + path)).text();
    expect(empty).toMatch(/BEGIN:VTIMEZONE\r\n(?:.+\r\n)+END:VTIMEZONE\r\nEND:VCALENDAR\r\n$/);
    const id = await schedule('Brief');
    await api.post(`/v1/maintenance-windows/${id}/start`, { durationSeconds: 600 });
    await api.post(`/v1/maintenance-windows/${id}/end`);
    await app.query(
      `UPDATE spans SET starts_at = date_trunc('second', starts_at), ends_at = date_trunc('second', starts_at) + interval '1 ms'
       WHERE window_id = $1`,
      [id],
    );
    // A write of the window, which makes the page read its maintenance again.
    await api.patch(`/v1/maintenance-windows/${id}`, { description: 'Short.' });
    const [event] = await eventsOf(path);
    expect(event!.DTEND! > event!.DTSTART!).toBe(true);
  });

  it('is not affected by line breaks in texts', async () => {
    const { schedule, path } = await publish({ name: 'Example' });
    const hostile = 'x\r\nEND:VEVENT\r\nBEGIN:VEVENT\u0000';
    const { status } = await api.post('/v1/maintenance-windows', { name: hostile });
    expect(status).toBe(422);
    await schedule('Fine', { startsAt: at(1), endsAt: at(1.1), description: 'x\r\nEND:VEVENT\r\nSUMMARY:Forged' });
    const [event] = await eventsOf(path);
    expect(event).toMatchObject({
      SUMMARY: 'Fine',
      DESCRIPTION: expect.stringContaining('x\\nEND:VEVENT\\nSUMMARY:Forged'),
    });
  });

  it('has the access, cache and cross-origin headers of the page', async () => {
    const open = await publish();
    const { headers } = await fetch(app.origin + open.path);
    expect(headers.get('cache-control')).toBe('public, max-age=10');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const secret = await publish({ accessType: 'password', password: 'correct horse' });
    expect((await fetch(app.origin + secret.path)).status).toBe(401);
    const hidden = await publish({ published: false });
    expect((await fetch(app.origin + hidden.path)).status).toBe(404);
  });
});
