import { describe, expect, it } from '@jest/globals';
import { REDIS_PROGRAM } from '../../support/redis-server.js';
import { chaos } from './chaos.js';

const describeWithServer = REDIS_PROGRAM ? describe : describe.skip;

describeWithServer('processes that share the work (needs redis-server or valkey-server)', () => {
  it('lose, repeat and invent nothing, and are back by themselves, whatever is interrupted', async () => {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const verdict = await chaos({ seed: 7, minutes: 1.25, monitors: 15, say });
    expect({ lines, findings: verdict.findings }).toEqual({ lines, findings: [] });
  }, 900_000);
});
