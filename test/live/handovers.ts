import { eventually } from '../support/eventually.js';
import { installAudit, type LeaseChange, leaseChanges } from './chaos/audit.js';
import { Fleet } from './chaos/fleet.js';
import { type Member } from './chaos/plan.js';
import { SHARDS } from './chaos/wire.js';

/** The shards of one killed process. */
export interface HandOver {
  member: Member;
  /** From the kill until another process took the lease of each shard. */
  seconds: number[];
}

const WITHIN_MS = 60_000;
const KILLED = ['dispatcher-1', 'recorder-1', 'dispatcher-2', 'recorder-2'] as const;

/** Kills a dispatcher or recorder `rounds` times, and reports how soon the other one takes its shards over. */
export async function handOvers(rounds: number, say: (line: string) => void): Promise<HandOver[]> {
  const fleet = await Fleet.open(['api-1', ...KILLED, 'worker-1'], ({ cluster }) => installAudit(cluster));
  const outcome: HandOver[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const member = KILLED[round % KILLED.length]!;
      await untilShared(fleet);
      const held = await heldBy(fleet, member);
      const killedAt = Date.now();
      await fleet.keeper(member).kill();
      const seconds = await eventually(async () => {
        const changes = await leaseChanges(fleet.cluster);
        return held.map((name) => (takenAt(changes, name, killedAt) - killedAt) / 1_000);
      }, WITHIN_MS);
      outcome.push({ member, seconds });
      say(`${member}: ${held.length} shards within ${Math.max(...seconds).toFixed(2)} s`);
    }
    return outcome;
  } finally {
    await fleet.close();
  }
}

function takenAt(changes: readonly LeaseChange[], name: string, after: number): number {
  const change = changes.find((one) => one.name === name && one.at > after);
  if (!change) throw new Error(`${name} has not been taken over`);
  return change.at;
}

/** Waits until every process that can be killed holds its share. */
async function untilShared(fleet: Fleet): Promise<void> {
  await eventually(async () => {
    for (const member of KILLED) {
      const { length } = await heldBy(fleet, member);
      if (length !== SHARDS / 2) throw new Error(`${member} holds ${length} shards`);
    }
  }, WITHIN_MS);
}

async function heldBy({ cluster }: Fleet, member: Member): Promise<string[]> {
  const rows = await cluster.query<{ name: string }>(
    `SELECT name FROM leases JOIN chaos_members USING (holder) JOIN processes p ON p.id = holder
     WHERE application = $1 AND name <> 'sweeper' AND expires_at > now() AND p.seen_at > now() - interval '4 s'`,
    [member],
  );
  return rows.map(({ name }) => name);
}
