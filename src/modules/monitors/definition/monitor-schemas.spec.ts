import { describe, expect, it } from '@jest/globals';
import { PROBES } from '../../../probes/index.js';
import { pingProbe } from '../../../probes/ping.probe.js';

// Before the examples are assembled, as on a machine without a program to ping with.
pingProbe.unavailable = () => 'No such program.';
const { MONITOR_EXAMPLES } = await import('./monitor-schemas.js');

describe('the examples of monitors', () => {
  it('include every type, whatever the machine that writes the document can check', () => {
    expect(Object.keys(MONITOR_EXAMPLES)).toEqual(PROBES.map(({ type }) => type));
  });
});
