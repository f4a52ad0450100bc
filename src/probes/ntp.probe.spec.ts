import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { type NtpAnswer, ntpResponse } from '../../test/support/ntp-response.js';
import { runCheck, startDatagrams, stopsServers } from '../../test/support/probe-scripts.js';
import { readNtp } from './ntp/ntp-message.js';
import { NtpFields } from './ntp.probe.js';

const host = '127.0.0.1';

async function timeServer(answer: (request: Buffer) => Buffer | null): Promise<number> {
  const { port } = await startDatagrams((request, respond) => {
    const reply = answer(request);
    if (reply) respond(reply);
  });
  return port;
}

stopsServers();

describe('NtpFields', () => {
  it.each([
    [{ settings: { maxOffsetMs: 0 } }, '/settings/maxOffsetMs min'],
    [{ settings: { maxStratum: 16 } }, '/settings/maxStratum max'],
    [{ settings: [] }, '/settings isObject'],
    [{ host: 'a b' }, '/host invalid_value'],
  ])('rejects %j with %s', (more, problem) => expect(problemsOf(NtpFields, { host, ...more })).toContain(problem));
});

describe('the NTP probe', () => {
  it.each<[string, NtpAnswer, object, string | undefined]>([
    ['a synchronized server', {}, {}, undefined],
    ['a clock within the limit', { aheadMs: 800 }, { maxOffsetMs: 5_000 }, undefined],
    ['a clock that is ahead', { aheadMs: 90_000 }, { maxOffsetMs: 5_000 }, 'unexpected_response'],
    ['a clock that is behind', { aheadMs: -90_000 }, { maxOffsetMs: 5_000 }, 'unexpected_response'],
    ['a wrong clock without a limit', { aheadMs: 90_000 }, {}, undefined],
    ['the greatest stratum', { stratum: 3 }, { maxStratum: 3 }, undefined],
    ['a greater stratum', { stratum: 4 }, { maxStratum: 3 }, 'unexpected_response'],
    ['an unsynchronized server', { leap: 3 }, {}, 'unexpected_response'],
    ['stratum 16', { stratum: 16 }, {}, 'unexpected_response'],
    ['a kiss of death', { stratum: 0, code: 'RATE' }, {}, 'unexpected_response'],
  ])('evaluates %s', async (_, answer, settings, code) => {
    const port = await timeServer((request) => ntpResponse(request, answer));
    const outcome = await runCheck('ntp', { host, port, settings });
    expect(outcome.error?.code).toBe(code);
    if (answer.code) expect(outcome.error!.message).toContain('RATE');
    if (answer.aheadMs === 90_000 && code) expect(outcome.error!.message).toMatch(/\d{5} ms ahead/);
    if (answer.aheadMs === -90_000) expect(outcome.error!.message).toMatch(/\d{5} ms behind/);
  });

  it('does not take a delay of its own process for an offset', async () => {
    const { port } = await startDatagrams((request, respond) => {
      respond(ntpResponse(request));
      // Keeps the process busy, which is also that of the check.
      const until = performance.now() + 300;
      while (performance.now() < until);
    });
    expect((await runCheck('ntp', { host, port, settings: { maxOffsetMs: 20 } })).error).toBeNull();
  });

  it('ignores what is no response to its request', async () => {
    const forged = (request: Buffer): Buffer => ntpResponse(Buffer.alloc(request.length, 7));
    for (const answer of [forged, () => Buffer.from('short'), (request: Buffer) => request]) {
      const port = await timeServer(answer);
      expect((await runCheck('ntp', { host, port }, { timeoutMs: 200 })).error?.code).toBe('timeout');
    }
  });

  it('sends nothing that reveals our time', async () => {
    let sent: Buffer = Buffer.alloc(0);
    const port = await timeServer((request) => ntpResponse((sent = request)));
    await runCheck('ntp', { host, port });
    expect(sent).toHaveLength(48);
    expect([sent[0], ...sent.subarray(1, 40)]).toEqual([0x23, ...Buffer.alloc(39)]);
  });
});

describe('readNtp', () => {
  it.each([
    Date.UTC(2026, 10, 28),
    Date.UTC(2036, 1, 7, 6, 28, 15),
    Date.UTC(2036, 1, 7, 6, 28, 17),
    Date.UTC(2040, 0, 1),
  ])('knows the era of the time %d', (nowMs) => {
    const request = Buffer.alloc(48, 5);
    const sent = new Map([[request.toString('hex', 40, 48), nowMs - 10]]);
    const reading = readNtp(ntpResponse(request, { aheadMs: 250 }, nowMs), sent, nowMs + 10);
    expect(reading).toMatchObject({ stratum: 2, isSynchronized: true });
    expect(reading!.offsetMs).toBeCloseTo(250, 1);
    expect(reading!.roundTripMs).toBeCloseTo(20, 1);
  });
});
