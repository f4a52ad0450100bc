import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type KeyStage, type MintedKey, openKeyStage } from '../../../test/support/key-stage.js';
import { Transactions } from '../../database/tx.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.js';
import { type TeamId } from '../../http/auth/principal.js';
import { EventLog } from '../events/event-log.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { ExpiringApiKeysService } from './expiring-api-keys.service.js';

let stage: KeyStage;
let teamId: TeamId;

beforeAll(async () => {
  stage = await openKeyStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  teamId = await stage.newTeam();
});

/** The service of a process that has just started. */
const newService = () => new ExpiringApiKeysService(stage.context.get(Transactions), stage.context.get(EventLog));

/** Creates a key that expires in so many days. Returns the time of its expiry, in epoch milliseconds, as well. */
async function mintFor(days: number): Promise<MintedKey & { endMs: number }> {
  const endMs = Date.now() + days * DAY_MS;
  return { ...(await stage.mint(teamId, ['read'], new Date(endMs))), endMs };
}

const eventsOf = ({ keyId }: MintedKey): Promise<object[]> =>
  stage.source.query(
    `SELECT team_id, actor_type, resource_name, data FROM events
     WHERE type = 'api_key.expiring' AND resource_id = $1 ORDER BY sequence`,
    [keyId],
  );

describe('an API key', () => {
  it.each([
    [90, 14.1, 0],
    [90, 13.9, 1],
    [90, 0.1, 1],
    [90, -0.1, 0],
    [9, 3.1, 0],
    [9, 2.9, 1],
    [2.9, 0.1, 0],
  ])('that lives for %d days is reported as expiring, %d days before it does: %i times', async (life, left, times) => {
    const key = await mintFor(life);
    await newService().sweep(key.endMs - left * DAY_MS);
    expect(await eventsOf(key)).toHaveLength(times);
  });

  it('that never expires, or is revoked, is not reported', async () => {
    const [endless, revoked] = [await stage.mint(teamId, ['read']), await mintFor(90)];
    await stage.context.get(ApiKeysService).revoke(teamId, revoked.keyId);
    await newService().sweep(revoked.endMs - DAY_MS);
    expect([...(await eventsOf(endless)), ...(await eventsOf(revoked))]).toEqual([]);
  });

  it('is reported once for each expiry, by whichever process', async () => {
    const key = await mintFor(90);
    await Promise.all(Array.from({ length: 4 }, () => newService().sweep(key.endMs - DAY_MS)));
    await newService().sweep(key.endMs - HOUR_MS);
    const event = {
      team_id: teamId,
      actor_type: 'system',
      resource_name: 'key',
      data: { prefix: key.prefix, expiresAt: new Date(key.endMs).toISOString() },
    };
    expect(await eventsOf(key)).toEqual([event]);

    const admin = await stage.mint(teamId, ['admin']);
    const expiresAt = new Date(key.endMs + 30 * DAY_MS).toISOString();
    await stage.context.get(ApiKeysService).update(teamId, admin, key.keyId, { expiresAt });
    await newService().sweep(key.endMs + 10 * DAY_MS);
    expect(await eventsOf(key)).toEqual([event]);
    await newService().sweep(key.endMs + 20 * DAY_MS);
    expect(await eventsOf(key)).toEqual([event, { ...event, data: { prefix: key.prefix, expiresAt } }]);
  });

  it('is found by a look that runs once an hour', async () => {
    const service = newService();
    const lookedAt = Date.now() + 80 * DAY_MS;
    await service.sweep(lookedAt);
    const key = await mintFor(90);
    await service.sweep(lookedAt + 59 * MINUTE_MS);
    expect(await eventsOf(key)).toEqual([]);
    await service.sweep(lookedAt + HOUR_MS);
    expect(await eventsOf(key)).toHaveLength(1);
  });
});
