import { type ProbeOutcome } from '../../src/domain/check-result.js';
import { type Evaluate } from '../../src/probes/evaluation.js';
import { createAddressPolicy, type AllowPrivateTargets } from '../../src/probes/net/address-policy.js';
import { Egress } from '../../src/probes/net/egress.js';
import { DnsResolver } from '../../src/probes/net/name-resolver.js';
import { httpProbe, type HttpFields } from '../../src/probes/http.probe.js';
import { runProbe } from '../../src/probes/run-check.js';
import { testAuthority } from './raw-target.js';

export interface ProbeRunOptions {
  timeoutMs?: number;
  allow?: AllowPrivateTargets;
  evaluate?: Evaluate;
}

/** Shared, because allocating the cache of a resolver takes several milliseconds. */
const resolver = new DnsResolver();

/** Returns an egress that trusts the certificate authority of the tests. */
export function testEgress(allow: AllowPrivateTargets = ['127.0.0.0/8']): Egress {
  return new Egress(createAddressPolicy(allow), resolver, { ca: testAuthority() });
}

/** Runs one HTTP check. Loopback targets are allowed unless `allow` is given. */
export function runHttp(
  fields: HttpFields,
  { timeoutMs = 5_000, allow, evaluate }: ProbeRunOptions = {},
): Promise<ProbeOutcome> {
  return runProbe(httpProbe, fields, { timeoutMs, egress: testEgress(allow), evaluate });
}
