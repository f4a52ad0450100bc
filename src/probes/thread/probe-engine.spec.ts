import { expect, it } from '@jest/globals';
import { createAddressPolicy } from '../net/address-policy.js';
import { Egress } from '../net/egress.js';
import { DnsResolver } from '../net/name-resolver.js';
import { delaysIn, makeDelayMemory } from './loop-delay.js';
import { ProbeEngine } from './probe-engine.js';
import { makePulse, Pulse } from './pulse.js';

it('shows that it responds as soon as it has something to do, however short and frequent checks are', async () => {
  const pulse = makePulse();
  const egress = new Egress(createAddressPolicy([]), new DnsResolver());
  let reported = (): void => undefined;
  const engine = new ProbeEngine(egress, new Pulse(pulse), delaysIn(makeDelayMemory()), () => reported());
  const [none, clock] = [new Float64Array(), { nowMs: 0, monotonicMs: 0 }];
  const plan = { plan: 1, type: 'none', fields: '{}', timeoutMs: 1_000, team: 'ours' };
  for (const round of [1, 2, 3]) {
    const before = pulse[0]!;
    const finished = new Promise<void>((resolve) => (reported = resolve));
    engine.take({ plans: [plan], forget: [], jobs: Float64Array.of(round, 1), asked: none, clock });
    expect(pulse[0]).toBe(before + 1);
    await finished;
  }
});
