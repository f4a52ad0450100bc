import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { type TransitionDto } from '../src/modules/monitors/dto/transition.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually, untilServed } from './support/eventually.js';
import { checkNow, createMonitor, getMonitor, httpMonitor, listChecks, untilStatus } from './support/monitors.js';
import { answers, startTarget, type Target } from './support/target.js';

let app: TestApp;
let api: Client;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

const create = (path: string, more: Record<string, unknown> = {}) =>
  createMonitor(api, httpMonitor(target.url(path), more));

async function transitions(id: string): Promise<TransitionDto[]> {
  return (await api.get<Page<TransitionDto>>(`/v1/monitors/${id}/transitions`)).body.data;
}

async function act(id: string, action: 'pause' | 'resume', body?: Record<string, unknown>): Promise<MonitorDto> {
  const answer = await untilServed(() => api.post<MonitorDto>(`/v1/monitors/${id}/${action}`, body));
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

describe('a monitor', () => {
  it('is checked immediately after its creation, then on schedule', async () => {
    const { id, status, updatedAt } = await create('/scheduled');
    expect(status).toBe('pending');
    await untilStatus(api, id, 'up');
    const checks = await eventually(async () => {
      const all = await listChecks(api, id);
      expect(all.length).toBeGreaterThanOrEqual(4);
      return all.reverse();
    });
    // A slot may be due at the moment of creation, and its check may start before the first one.
    const scheduled = checks.filter(({ trigger }) => trigger === 'schedule');
    expect(checks.filter(({ trigger }) => trigger === 'created')).toHaveLength(1);
    expect(scheduled).toHaveLength(checks.length - 1);
    const slots = scheduled.map(({ scheduledAt }) => Date.parse(scheduledAt));
    expect(slots).toEqual([...new Set(slots)].sort());
    for (const slot of slots) expect((slot - slots[0]!) % 1_000).toBe(0);
    for (const { scheduledAt, checkedAt } of checks) {
      expect(Date.parse(checkedAt) - Date.parse(scheduledAt)).toBeGreaterThanOrEqual(0);
    }
    const now = await getMonitor(api, id);
    expect(now).toMatchObject({ revision: 1, updatedAt, verifying: null, lastError: null });
    expect(Date.parse(now.nextCheckAt!) - Date.parse(now.lastCheckAt!)).toBeLessThanOrEqual(2_000);
  });

  it('is pending while the failure of its first check is being confirmed', async () => {
    target.behave('/fails-first', answers(503));
    const { id } = await create('/fails-first', { intervalSeconds: 600, retryIntervalSeconds: 600 });
    const expected = { status: 'pending', verifying: 'down', confirming: { failures: 1, needed: 2 } };
    await eventually(async () => expect(await getMonitor(api, id)).toMatchObject(expected));
    const { body } = await api.get<Page<MonitorDto>>('/v1/monitors?limit=200');
    expect(body.data.find((one) => one.id === id)).toMatchObject(expected);
    await api.post(`/v1/monitors/${id}/pause`);
    expect(await getMonitor(api, id)).toMatchObject({ status: 'paused', verifying: null, confirming: null });
  });

  it('is down after two failing checks, as of the first, and up after one passing check', async () => {
    const { id } = await create('/falls', { intervalSeconds: 4, retryIntervalSeconds: 3 });
    await untilStatus(api, id, 'up');
    target.behave('/falls', answers(503, 'secret words of the target'));
    await eventually(async () => {
      const failing = await getMonitor(api, id);
      expect(failing).toMatchObject({ status: 'up', verifying: 'down', confirming: { failures: 1, needed: 2 } });
    });
    const down = await untilStatus(api, id, 'down');
    expect(down).toMatchObject({ verifying: null, confirming: null, lastError: { code: 'unexpected_status' } });
    expect(JSON.stringify(down)).not.toContain('secret words');

    const failing = (await listChecks(api, id, '&status=down')).reverse();
    expect(failing[0]).toMatchObject({ trigger: 'schedule', attempt: 0, statusCode: 503 });
    expect(failing[1]).toMatchObject({ trigger: 'retry', attempt: 1, scheduledAt: failing[0]!.scheduledAt });
    expect(down.statusSince).toBe(failing[0]!.checkedAt);

    target.behave('/falls', answers(200));
    const up = await untilStatus(api, id, 'up');
    const [recovery, outage, start] = await transitions(id);
    expect(start).toMatchObject({ from: 'pending', to: 'up', errorCode: null });
    expect(outage).toMatchObject({ from: 'up', to: 'down', errorCode: 'unexpected_status' });
    expect(outage).toMatchObject({ at: failing[0]!.checkedAt, confirmedAt: failing[1]!.checkedAt });
    expect(recovery).toMatchObject({ from: 'down', to: 'up', at: up.statusSince, errorCode: null });
    expect(up.lastError).toBeNull();
  });

  it('is degraded while it responds slower than its limit', async () => {
    target.behave('/slow', (response) => setTimeout(() => response.end('late'), 60));
    const { id } = await create('/slow', { degradedAfterMs: 30, failureThreshold: 1 });
    await untilStatus(api, id, 'degraded');
    expect((await listChecks(api, id))[0]).toMatchObject({ status: 'degraded', error: null, statusCode: 200 });
  });

  it('is evaluated by its assertions, without quoting the body', async () => {
    target.behave('/asserts', (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"broken","n":3}'),
    );
    const assertions = [
      { source: 'jsonBody', property: '$.status', comparison: 'equals', target: 'ok' },
      { source: 'statusCode', comparison: 'equals', target: 200 },
      { source: 'statusCode', comparison: 'lessThan', target: 200 },
    ];
    const { id } = await create('/asserts', { assertions, paused: true });
    const check = await checkNow(api, id);
    expect(check).toMatchObject({ status: 'down', statusCode: 200, error: { code: 'assertion_failed' } });
    expect(check.failedAssertions).toEqual([
      { index: 0, actual: null },
      { index: 2, actual: 200 },
    ]);
    expect(JSON.stringify(check)).not.toContain('broken');
  });

  it('is deleted at its expiry and no longer checked', async () => {
    const { id, expiresAt, createdAt } = await create('/expires', { expiresInSeconds: 1 });
    expect(Date.parse(expiresAt as string) - Date.parse(createdAt)).toBe(1_000);
    await eventually(async () => expect((await api.get(`/v1/monitors/${id}`)).status).toBe(404));
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt as string));
    const rows = await app.query('SELECT 1 FROM monitors WHERE id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('a pause', () => {
  it('stops the checks, and keeps its start when the monitor is paused again', async () => {
    const { id } = await create('/paused');
    await untilStatus(api, id, 'up');
    const until = '2999-01-01T00:00:00.000Z';
    const first = await act(id, 'pause', { until, reason: 'Deploying' });
    expect(first).toMatchObject({ status: 'paused', pausedUntil: until, pauseReason: 'Deploying', nextCheckAt: null });
    expect(first.statusSince).toBe(first.pausedAt);
    const second = await act(id, 'pause');
    expect(second).toMatchObject({ pausedAt: first.pausedAt, pausedUntil: null, pauseReason: null, status: 'paused' });
    expect(await act(id, 'pause', { reason: 'Still' })).toMatchObject({
      pausedAt: first.pausedAt,
      pauseReason: 'Still',
    });

    // The checks of another monitor show that several slots have passed.
    const before = target.requests('/paused').length;
    const other = await create('/beside-the-pause');
    await eventually(async () => expect((await listChecks(api, other.id)).length).toBeGreaterThanOrEqual(3));
    expect(target.requests('/paused').length - before).toBeLessThanOrEqual(1);
  });

  it('ends by itself, followed by an immediate check', async () => {
    const { id } = await create('/pause-ends', { intervalSeconds: 3_600 });
    const paused = await act(id, 'pause', { durationSeconds: 1 });
    expect(Date.parse(paused.pausedUntil!) - Date.parse(paused.pausedAt!)).toBe(1_000);
    const after = await untilStatus(api, id, 'up');
    expect(after).toMatchObject({ pausedAt: null, pausedUntil: null, pauseReason: null });
    expect(after.resumedAt).toBe(paused.pausedUntil);
    expect(after.nextCheckAt).not.toBeNull();
    await eventually(async () => {
      expect((await listChecks(api, id)).map(({ trigger }) => trigger)).toContain('resumed');
    });
  });

  it('ends with a resume, which checks immediately and may be repeated', async () => {
    const { id } = await create('/resumed', { paused: true, intervalSeconds: 3_600 });
    const resumed = await act(id, 'resume');
    expect(resumed).toMatchObject({ pausedAt: null, resumedAt: expect.any(String) });
    await untilStatus(api, id, 'up');
    expect(await act(id, 'resume')).toMatchObject({ resumedAt: resumed.resumedAt, revision: resumed.revision });
    expect((await listChecks(api, id)).map(({ trigger }) => trigger)).toEqual(['resumed']);
  });

  it('interrupts the status, which counts from the resume', async () => {
    const { id } = await create('/interrupted', { intervalSeconds: 3_600 });
    const before = await untilStatus(api, id, 'up');
    await act(id, 'pause');
    const { resumedAt, statusSince } = await act(id, 'resume');
    expect(statusSince).toBe(resumedAt);
    const after = await eventually(async () => {
      const monitor = await getMonitor(api, id);
      expect(monitor.lastCheckAt).not.toBe(before.lastCheckAt);
      return monitor;
    });
    expect(after).toMatchObject({ status: 'up', statusSince: resumedAt });
  });

  it.each([
    ['both ends', { until: '2999-01-01T00:00:00Z', durationSeconds: 5 }, '/durationSeconds'],
    ['an end in the past', { until: '2020-01-01T00:00:00Z' }, '/until'],
    ['a local time', { until: '2999-01-01T00:00:00' }, '/until'],
    ['a duration of 0', { durationSeconds: 0 }, '/durationSeconds'],
    ['an unknown field', { duration: 5 }, '/duration'],
    ['an unknown field that is null', { duration: null }, '/duration'],
  ])('is rejected with %s', async (_, body, pointer) => {
    const { id } = await create('/', { paused: true });
    const answer = await api.post(`/v1/monitors/${id}/pause`, body);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  it('is not affected by a manual check', async () => {
    target.behave('/manual', answers(500));
    const before = await create('/manual', { paused: true, failureThreshold: 1 });
    expect(await checkNow(api, before.id)).toMatchObject({ trigger: 'manual', status: 'down', attempt: 0 });
    const after = await getMonitor(api, before.id);
    expect(after).toMatchObject({ status: 'paused', statusSince: before.statusSince, verifying: null });
    expect(await transitions(before.id)).toEqual([]);
    target.behave('/manual', answers(200));
    await act(before.id, 'resume');
    await untilStatus(api, before.id, 'up');
    expect((await transitions(before.id)).map(({ from, to }) => `${from} to ${to}`)).toEqual(['pending to up']);
  });

  it('leaves one schedule after 100 concurrent pauses and resumes', async () => {
    const { id } = await create('/raced', { paused: true });
    await Promise.all(Array.from({ length: 100 }, (_, turn) => act(id, turn % 2 ? 'pause' : 'resume')));
    await act(id, 'resume');
    await untilStatus(api, id, 'up');
    const scheduled = await eventually(async () => {
      const slots = (await listChecks(api, id, '&trigger=schedule')).map(({ scheduledAt }) => scheduledAt);
      expect(slots.length).toBeGreaterThanOrEqual(3);
      return slots;
    });
    expect(new Set(scheduled).size).toBe(scheduled.length);
  });
});
