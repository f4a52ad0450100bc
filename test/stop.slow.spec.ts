import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locate, stopOrphan } from '../src/database/embedded/running-server.js';
import { PATIENCE } from './support/patience.js';
import { ServiceProcess } from './support/service.js';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-stop-'));
  await chmod(dataDir, 0o711);
});

afterEach(async () => {
  await stopOrphan(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s immediately after the start is clean', async (signal) => {
    const service = await ServiceProcess.start(dataDir);
    expect(await service.end(signal)).toBe(0);
    expect(await locate(dataDir)).toBeNull();
  });

  it('responds with 202 to a request that waits for a check, and does not wait for a hanging target', async () => {
    const target = createServer(() => undefined).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => target.once('listening', resolve));
      const { port } = target.address() as AddressInfo;
      const service = await ServiceProcess.start(dataDir, { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
      const url = `http://127.0.0.1:${port}/`;
      const made = await service.call<{ id: string }>('POST', '/v1/monitors', {
        name: 'hangs',
        type: 'http',
        url,
        intervalSeconds: 600,
        timeoutMs: 60_000,
      });
      const waiting = service.call<{ id: string }>('POST', `/v1/monitors/${made.body.id}/checks?wait=true`);
      // A later request completes only after the check of the earlier one was accepted.
      await service.call('GET', `/v1/monitors/${made.body.id}`);
      const startedAt = performance.now();
      const exit = service.end('SIGTERM');
      expect((await waiting).status).toBe(202);
      expect(await exit).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(10_000 * PATIENCE);
    } finally {
      target.close();
    }
  }, 60_000);

  it('is clean after a start that failed with exit code 78 because the HOST does not exist', async () => {
    // Longer than a name may be, so that no name server is asked.
    const start = ServiceProcess.start(dataDir, { HOST: 'x'.repeat(64) });
    await expect(start).rejects.toThrow('exit code 78');
    expect(await locate(dataDir)).toBeNull();
  });

  it.each(['PORT', 'METRICS_PORT'])(
    'is clean after a start that failed with exit code 75 because the %s was in use',
    async (name) => {
      const taken = createServer().listen(0, '127.0.0.1');
      try {
        await new Promise((resolve) => taken.once('listening', resolve));
        const { port } = taken.address() as AddressInfo;
        await expect(ServiceProcess.start(dataDir, { [name]: String(port) })).rejects.toThrow('exit code 75');
        expect(await locate(dataDir)).toBeNull();
      } finally {
        taken.close();
      }
    },
    60_000,
  );
});
