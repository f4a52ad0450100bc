import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES, type ErrorCode } from './error-codes.js';
import {
  asNetworkUnavailable,
  type CanaryReading,
  canariesFailSince,
  type NetworkEvidence,
  hasVoters,
  mayBeOurNetwork,
  networkVerdict,
  type NetworkVerdict,
  provesNetwork,
} from './network-verdict.js';

const NOW = 1_000_000;
const canary = (answeredAt: number | null, failingSince: number | null = null): CanaryReading => {
  return { answeredAt, failingSince };
};
const checks = (answered: number, silent: number, finishedAt = NOW): NetworkEvidence[] => [
  ...Array.from({ length: answered }, () => ({ finishedAt, answered: true })),
  ...Array.from({ length: silent }, () => ({ finishedAt, answered: false })),
];
const FAILS = canary(NOW - 6_000, NOW - 5_000);
const ANSWERS = canary(NOW - 100);
const NEVER = canary(null, NOW - 5_000);
/** The network has been present, and is. */
const THERE = { goneSince: null, proven: true };
const LONG_DEAD = canary(NOW - 600_001, NOW - 600_000);

describe('networkVerdict', () => {
  it.each<[string, CanaryReading[], NetworkEvidence[], NetworkVerdict]>([
    ['every canary and every check fails', [FAILS, FAILS], checks(0, 3), 'gone'],
    ['one canary answers', [FAILS, ANSWERS], checks(0, 200), 'present'],
    ['no canaries', [], checks(0, 200), 'present'],
    ['a canary that never answered has no vote', [NEVER], checks(0, 200), 'present'],
    ['a canary that never answered has no veto', [NEVER, FAILS], checks(0, 200), 'gone'],
    ['a vote lasts ten minutes', [canary(NOW - 600_000, NOW - 5_000)], checks(0, 200), 'gone'],
    ['a vote expires after ten minutes', [LONG_DEAD], checks(0, 200), 'present'],
    ['a canary without a vote is ignored', [LONG_DEAD, FAILS], checks(0, 200), 'gone'],
    ['fewer than half passed', [FAILS], checks(99, 101), 'gone'],
    ['half passed', [FAILS], checks(100, 100), 'present'],
    ['the only check failed', [FAILS], checks(0, 1), 'gone'],
    ['no check has finished', [FAILS], [], 'present'],
    [
      'a check that passed before the canaries failed is not evidence',
      [FAILS],
      [...checks(9, 0, NOW - 5_001), ...checks(0, 1)],
      'gone',
    ],
    ['a check that passed since then is evidence', [FAILS], [...checks(1, 0, NOW - 5_000), ...checks(0, 1)], 'present'],
    [
      'a check that passed over 30 s ago is not evidence',
      [canary(NOW - 90_000, NOW - 80_000)],
      [...checks(9, 0, NOW - 30_001), ...checks(0, 1)],
      'gone',
    ],
    [
      'a check that passed exactly 30 s ago is evidence',
      [canary(NOW - 90_000, NOW - 80_000)],
      [...checks(9, 0, NOW - 30_000), ...checks(0, 1)],
      'present',
    ],
    [
      'evidence counts from the failure of the last canary',
      [canary(NOW - 9_000, NOW - 8_000), canary(NOW - 3_000, NOW - 2_000)],
      [...checks(9, 0, NOW - 2_001), ...checks(0, 1)],
      'gone',
    ],
  ])('decides when %s', (_, canaries, finished, verdict) =>
    expect(networkVerdict(canaries, finished, THERE, NOW)).toBe(verdict),
  );

  const HOUR = 3_600_000;
  const gone = canary(NOW - HOUR - 1_000, NOW - HOUR);
  it.each<[string, CanaryReading[], NetworkEvidence[], NetworkVerdict]>([
    ['lasts longer than the votes, since no canary can answer', [gone], checks(0, 200), 'gone'],
    ['lasts while no check finishes', [gone], [], 'gone'],
    ['ends when a canary answers', [ANSWERS], checks(0, 200), 'present'],
    ['ends when checks pass', [gone], checks(100, 100), 'present'],
    [
      'does not give a vote to canaries that had none',
      [canary(NOW - HOUR - 600_001, NOW - HOUR)],
      checks(0, 1),
      'present',
    ],
  ])('an absence of an hour %s', (_, canaries, finished, verdict) => {
    expect(networkVerdict(canaries, finished, { goneSince: NOW - HOUR, proven: true }, NOW)).toBe(verdict);
  });

  it('reports whether any canary has a vote, and since when all of them fail', () => {
    expect([hasVoters([NEVER, LONG_DEAD], THERE, NOW), hasVoters([NEVER, ANSWERS], THERE, NOW)]).toEqual([false, true]);
    expect(canariesFailSince([FAILS, NEVER], THERE, NOW)).toBe(NOW - 5_000);
    expect(canariesFailSince([FAILS, ANSWERS], THERE, NOW)).toBeNull();
    expect(canariesFailSince([NEVER], THERE, NOW)).toBeNull();
  });
});

/** For every code: whether our own network may be the cause, and what it proves about the network. */
const MEANINGS: Record<ErrorCode, [mayBeOurs: boolean, proves: boolean | null]> = {
  dns_not_found: [true, false],
  dns_failed: [true, false],
  connect_refused: [true, false],
  connect_timeout: [true, false],
  connect_failed: [true, false],
  address_blocked: [false, null],
  tls_expired: [false, true],
  tls_untrusted: [false, true],
  tls_name_mismatch: [false, true],
  tls_failed: [true, false],
  timeout: [true, false],
  protocol_error: [false, true],
  connection_reset: [true, false],
  unexpected_response: [false, true],
  authentication_failed: [false, true],
  command_failed: [false, true],
  domain_not_found: [false, true],
  domain_expired: [false, true],
  too_many_redirects: [false, true],
  response_too_large: [false, true],
  unexpected_status: [false, true],
  assertion_failed: [false, true],
  heartbeat_missed: [false, null],
  run_failed: [false, null],
  run_too_long: [false, null],
  network_unavailable: [false, false],
  checker_error: [false, null],
};

describe('the evidence of an error', () => {
  it.each(ERROR_CODES)('%s', (code) => {
    const error = { code, message: '' };
    expect([mayBeOurNetwork(error), provesNetwork(error)]).toEqual(MEANINGS[code]);
  });

  it('proves the network if the check passed', () =>
    expect([mayBeOurNetwork(null), provesNetwork(null)]).toEqual([false, true]));

  it('remains named in the message of network_unavailable', () => {
    const error = asNetworkUnavailable({ code: 'connect_timeout', message: 'No connection was made.' });
    expect(error).toMatchObject({ code: 'network_unavailable', message: expect.stringContaining('connect_timeout') });
  });
});

describe('the verdict before anything has answered', () => {
  const past = { goneSince: null, proven: false };

  it.each<[string, CanaryReading[], NetworkEvidence[], NetworkVerdict]>([
    ['canaries that never answered have a vote', [NEVER, NEVER], checks(0, 3), 'gone'],
    ['a canary that was not probed yet proves nothing', [NEVER, canary(null)], checks(0, 3), 'present'],
    ['without canaries, the network is present', [], checks(0, 3), 'present'],
    ['no check has finished', [NEVER], [], 'present'],
  ])('%s', (_, canaries, finished, verdict) => expect(networkVerdict(canaries, finished, past, NOW)).toBe(verdict));
});
