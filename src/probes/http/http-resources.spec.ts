import { afterEach, describe, expect, it } from '@jest/globals';
import { settledDescriptors } from '../../../test/support/descriptors.js';
import { eventually } from '../../../test/support/eventually.js';
import { runHttp } from '../../../test/support/probe-run.js';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { rawTarget, testCertificate, textAnswer, type RawTarget } from '../../../test/support/raw-target.js';

const ROUNDS = propertyRuns(80).numRuns;
const PIECE = Buffer.alloc(65_536);
const targets: RawTarget[] = [];

async function target(...args: Parameters<typeof rawTarget>): Promise<RawTarget> {
  const one = await rawTarget(...args);
  targets.push(one);
  return one;
}

afterEach(async () => {
  await Promise.all(targets.splice(0).map((one) => one.close()));
});

describe('an HTTP check', () => {
  it('closes its connection with a reset', async () => {
    const ends: string[] = [];
    const { origin } = await target((socket) => {
      socket.on('error', (error: NodeJS.ErrnoException) => ends.push(error.code ?? ''));
      socket.on('end', () => ends.push('end'));
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    await runHttp({ url: origin });
    await eventually(() => expect(ends).toEqual(['ECONNRESET']));
  });

  it('leaks no descriptor and no listener in checks with all kinds of outcomes', async () => {
    const good = await target(textAnswer('ok'));
    const endless = await target((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const feed = (error?: Error | null): void => {
        if (!error && !socket.destroyed) socket.write(PIECE, feed);
      };
      feed();
    });
    const reset = await target((socket) => socket.resetAndDestroy());
    const silent = await target(() => undefined);
    const open = await target((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const unbounded = await target((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nok'));
    const secure = await target(textAnswer('ok'), testCertificate('valid'));
    const untrusted = await target(textAnswer('ok'), testCertificate('self-signed'));
    const urls = [
      good.origin,
      open.origin,
      unbounded.origin,
      reset.origin,
      secure.origin,
      untrusted.origin,
      'http://127.0.0.1:1',
    ];
    const round = async (checks: number): Promise<void> => {
      const rare = [runHttp({ url: silent.origin }, { timeoutMs: 100 }), runHttp({ url: endless.origin })];
      await Promise.all([
        ...rare,
        ...Array.from({ length: checks }, (_, i) => runHttp({ url: urls[i % urls.length]! })),
      ]);
    };
    await round(50);
    const before = await settledDescriptors();
    for (let i = 0; i < ROUNDS; i += 1) await round(50);
    expect(await settledDescriptors()).toBeLessThanOrEqual(before + 2);
  }, 60_000);
});
