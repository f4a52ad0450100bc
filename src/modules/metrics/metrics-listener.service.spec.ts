import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { readConfig } from '../../config/app-config.js';
import { exitCodeOf, reasonOf } from '../../exit-code.js';
import { MetricsListenerService } from './metrics-listener.service.js';
import { type MetricsSource } from './metrics-source.js';

it('names its own setting if its port is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  try {
    const { port } = taken.address() as AddressInfo;
    const config = readConfig({ METRICS_PORT: String(port) });
    const listener = new MetricsListenerService(config, null as unknown as MetricsSource);
    const error: unknown = await listener.onApplicationBootstrap().catch((fault: unknown) => fault);
    expect(reasonOf(error)).toBe(
      `port ${port} is already in use (EADDRINUSE): stop the process that uses it, or set METRICS_PORT`,
    );
    expect(exitCodeOf(error)).toBe(75);
  } finally {
    taken.close();
  }
});
