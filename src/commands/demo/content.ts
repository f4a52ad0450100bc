import { SLOW_MS, type TargetPorts } from './targets.js';

interface Keyed {
  key: string;
  name: string;
  [field: string]: unknown;
}

/** Returns the definitions of the demo's monitors. */
export function demoMonitors(ports: TargetPorts): Keyed[] {
  const http = (key: string, name: string, port: number, more: object): Keyed => ({
    key,
    name,
    type: 'http',
    url: `http://127.0.0.1:${port}/health`,
    intervalSeconds: 5,
    tags: ['demo'],
    ...more,
  });
  return [
    http('demo-healthy', 'Healthy', ports.healthy, {
      description: 'Always responds immediately.',
      assertions: [{ source: 'jsonBody', property: '$.status', comparison: 'equals', target: 'ok' }],
    }),
    http('demo-slow', 'Slow', ports.slow, {
      description: `Responds after ${SLOW_MS} ms, which is above the monitor's degraded threshold.`,
      degradedAfterMs: SLOW_MS / 2,
    }),
    http('demo-flaky', 'Flaky', ports.flaky, {
      description: 'Fails for the first 40 seconds of every five minutes.',
    }),
    {
      key: 'demo-tcp',
      name: 'TCP port',
      type: 'tcp',
      host: '127.0.0.1',
      port: ports.tcp,
      description: 'Accepts connections.',
      intervalSeconds: 10,
      tags: ['demo'],
    },
  ];
}

export const DEMO_PAGE = { key: 'demo', name: 'Daywatch demo', slug: 'demo' };

/**
 * Creates the monitors and the status page through the API, as a pipeline would. Resources of an earlier demo are
 * updated to the same definition. Returns the URL of the page.
 */
export async function provideContent(origin: string, apiKey: string, ports: TargetPorts): Promise<string> {
  const monitors = demoMonitors(ports);
  for (const monitor of monitors) await provide(`${origin}/v1/monitors`, apiKey, monitor);
  const monitorIds = monitors.map(({ key }) => `key:${key}`);
  const page = await provide(`${origin}/v1/status-pages`, apiKey, { ...DEMO_PAGE, monitorIds });
  return String(page.publicUrl);
}

async function provide(collection: string, apiKey: string, definition: Keyed): Promise<Record<string, unknown>> {
  const send = (method: string, url: string, body: object): Promise<Response> =>
    fetch(url, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const created = await send('POST', collection, definition);
  const response =
    created.status === 409 ? await send('PATCH', `${collection}/key:${definition.key}`, definition) : created;
  if (!response.ok) throw new Error(`${collection} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
