import { Redis } from 'ioredis';
import { eventually } from '../../support/eventually.js';
import { PATIENCE } from '../../support/patience.js';
import { type Scene } from './scene.js';
import { MEMBERS } from './plan.js';
import { type Verdict } from './verdict.js';
import { SHARDS } from './wire.js';

/**
 * Waits until everything is back by itself: every process serves, living processes hold all leases, every monitor is
 * checked from each of its locations, and nothing waits to be recorded or sent. What is not is found.
 */
export async function settle(scene: Scene, withinMs: number, verdict: Verdict): Promise<void> {
  const since = Date.now();
  const deadline = performance.now() + withinMs;
  for (const [what, look] of Object.entries(LOOKS)) {
    const leftMs = Math.max(1, deadline - performance.now());
    await eventually(() => look(scene, since), leftMs / PATIENCE).catch((error: unknown) =>
      verdict.find('not_back', `${what}: ${(error as Error).message}`),
    );
  }
  verdict.note('seconds until everything was back', ((Date.now() - since) / 1_000).toFixed(1));
}

const LOOKS: Record<string, (scene: Scene, since: number) => Promise<void>> = {
  processes: async ({ fleet }) => {
    for (const member of MEMBERS) {
      const { running } = fleet.keeper(member);
      if (!running) throw new Error(`${member} is not running`);
      const response = await fetch(`${running.origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
      if (!response.ok) throw new Error(`${member} is not ready: ${await response.text()}`);
    }
  },

  leases: async ({ fleet }) => {
    const [held] = await fleet.cluster.query<{ dispatcher: number; recorder: number; sweeper: number }>(
      `SELECT count(*) FILTER (WHERE name LIKE 'dispatcher-%')::int AS dispatcher,
         count(*) FILTER (WHERE name LIKE 'recorder-%')::int AS recorder,
         count(*) FILTER (WHERE name = 'sweeper')::int AS sweeper
       FROM leases JOIN processes p ON p.id = holder
       WHERE expires_at > now() AND p.seen_at > now() - interval '10 s'`,
    );
    const wanted = { dispatcher: SHARDS, recorder: SHARDS, sweeper: 1 };
    if (JSON.stringify(held) !== JSON.stringify(wanted)) throw new Error(`held: ${JSON.stringify(held)}`);
  },

  checks: async ({ fleet }, since) => {
    const waiting = await fleet.cluster.query<{ name: string; location: string }>(
      `SELECT m.name, place.location FROM monitors m CROSS JOIN LATERAL unnest(m.locations) AS place (location)
       WHERE m.paused_at IS NULL AND (
         SELECT count(*) FROM checks c WHERE c.monitor_id = m.id AND c.location = place.location AND c.attempt = 0
           AND c.checked_at > $1) < 2`,
      [new Date(since)],
    );
    const some = waiting.slice(0, 5).map(({ name, location }) => `${name} at ${location}`);
    if (waiting.length > 0) throw new Error(`${waiting.length} are not checked, such as ${some.join(', ')}`);
  },

  notifications: async ({ fleet }) => {
    const [left] = await fleet.cluster.query<{ pending: number; unplanned: number }>(
      `SELECT (SELECT count(*)::int FROM notifications WHERE next_attempt_at IS NOT NULL) AS pending,
         (SELECT count(*)::int FROM unplanned_events) AS unplanned`,
    );
    if (left!.pending + left!.unplanned > 0) throw new Error(JSON.stringify(left));
  },
};

/** Stops what adds checks, then what records them, so that nothing changes while it is judged. */
export async function stopWork({ fleet }: Scene, verdict: Verdict): Promise<void> {
  const stop = async (role: RegExp): Promise<void> => {
    for (const member of MEMBERS.filter((one) => role.test(one))) {
      const code = await fleet.keeper(member).finish();
      if (code !== 0) verdict.find('crash', `${member} ended with ${code} when it was asked to stop`);
    }
  };
  await stop(/^dispatcher/);
  await stop(/worker/);
  const client = new Redis(fleet.redis.url);
  try {
    await eventually(async () => {
      const keys = (await client.keys('*:results-*')).filter((key) => /:(?:wait|active|delayed)$/.test(key));
      if (keys.length > 0) throw new Error(`results wait in ${keys.join(', ')}`);
    });
  } catch (error) {
    verdict.find('not_back', (error as Error).message);
  } finally {
    client.disconnect();
  }
  await stop(/^recorder/);
  await stop(/^notifier/);
}
