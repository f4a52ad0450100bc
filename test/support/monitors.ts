import { expect } from '@jest/globals';
import { type Page } from '../../src/http/lists/page.js';
import { type CheckDto } from '../../src/modules/checks/dto/check.dto.js';
import { type MonitorDto, type MonitorStatus } from '../../src/modules/monitors/dto/monitor.dto.js';
import { type Client } from './client.js';
import { eventually, untilServed } from './eventually.js';

/** Returns the definition of an HTTP monitor that is checked every second. */
export function httpMonitor(url: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'A monitor', type: 'http', url, intervalSeconds: 1, timeoutMs: 1_000, ...more };
}

/** Creates a monitor. Fails unless the response is 201. */
export async function createMonitor(api: Client, definition: Record<string, unknown>): Promise<MonitorDto> {
  const { status, body } = await untilServed(() => api.post<MonitorDto>('/v1/monitors', definition));
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

export async function getMonitor(api: Client, id: string): Promise<MonitorDto> {
  const { status, body } = await api.get<MonitorDto>(`/v1/monitors/${id}`);
  expect(status).toBe(200);
  return body;
}

/** Waits until a monitor has this status, and returns the monitor. */
export function untilStatus(api: Client, id: string, status: MonitorStatus, timeoutMs = 20_000): Promise<MonitorDto> {
  return eventually(async () => {
    const monitor = await getMonitor(api, id);
    expect(monitor.status).toBe(status);
    return monitor;
  }, timeoutMs);
}

/** Runs a check now and waits for the result, on a busy machine for longer than `wait=true` does. */
export async function checkNow(api: Client, id: string): Promise<CheckDto> {
  const { status, headers, body } = await api.post<CheckDto>(`/v1/monitors/${id}/checks?wait=true`);
  if (status === 200) return body;
  expect(status).toBe(202);
  return eventually(async () => {
    const finished = await api.get<CheckDto>(headers.get('location')!);
    expect(finished.status).toBe(200);
    return finished.body;
  });
}

/** Returns the newest results of a monitor, at most 1,000. */
export async function listChecks(api: Client, id: string, query = ''): Promise<CheckDto[]> {
  const { status, body } = await api.get<Page<CheckDto>>(`/v1/monitors/${id}/checks?limit=1000${query}`);
  expect(status).toBe(200);
  return body.data;
}
