import { type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { placeOf } from './state-records.js';
import { type LocationChange } from './state-writes.js';

/** Stores new transitions and gaps. After a re-fold, they replace all those after the point where it started. */
export async function replaceHistory(manager: EntityManager, changes: readonly LocationChange[]): Promise<void> {
  for (const change of changes.filter(({ refoldedAfter }) => refoldedAfter !== null))
    await keepUnchanged(manager, change);

  const transitions = changes.flatMap((change) => change.transitions.map((one) => ({ ...one, ...placeOf(change) })));
  if (transitions.length > 0) {
    await manager.query(
      `INSERT INTO transitions (id, monitor_id, location, at, confirmed_at, from_status, to_status, error_code)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::text[], $8::text[])`,
      [
        transitions.map(() => uuidv7()),
        transitions.map((one) => one.monitorId),
        transitions.map((one) => one.location),
        transitions.map((one) => new Date(one.at)),
        transitions.map((one) => new Date(one.confirmedAt)),
        transitions.map((one) => one.from),
        transitions.map((one) => one.to),
        transitions.map((one) => one.errorCode),
      ],
    );
  }
  const gaps = changes.flatMap((change) => change.gaps.map((gap) => ({ ...gap, ...placeOf(change) })));
  if (gaps.length > 0) {
    await manager.query(
      `INSERT INTO spans (id, monitor_id, location, kind, starts_at, ends_at)
       SELECT id, monitor_id, location, 'gap', starts_at, ends_at
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[]) AS t (id, monitor_id, location, starts_at, ends_at)`,
      [
        gaps.map(() => uuidv7()),
        gaps.map((one) => one.monitorId),
        gaps.map((one) => one.location),
        gaps.map((one) => new Date(one.from)),
        gaps.map((one) => new Date(one.to)),
      ],
    );
  }
}

/**
 * Deletes transitions and gaps that a re-fold no longer produces. Removes those that are already stored from the
 * change, so that they keep their ids.
 */
async function keepUnchanged(manager: EntityManager, change: LocationChange): Promise<void> {
  const place = [change.monitorId, change.location, new Date(change.refoldedAfter!)];
  const transitions: { id: string; at: Date; confirmed_at: Date; from_status: string; to_status: string }[] =
    await manager.query(
      `SELECT id, at, confirmed_at, from_status, to_status FROM transitions
       WHERE monitor_id = $1 AND location = $2 AND confirmed_at > $3`,
      place,
    );
  const gaps: { id: string; starts_at: Date; ends_at: Date }[] = await manager.query(
    `SELECT id, starts_at, ends_at FROM spans
     WHERE monitor_id = $1 AND location = $2 AND kind = 'gap' AND ends_at > $3`,
    place,
  );
  const stored = new Map<string, string>();
  for (const row of transitions) {
    stored.set([row.at.getTime(), row.confirmed_at.getTime(), row.from_status, row.to_status].join(), row.id);
  }
  for (const row of gaps) stored.set([row.starts_at.getTime(), row.ends_at.getTime()].join(), row.id);

  change.transitions = change.transitions.filter(
    (one) => !stored.delete([one.at, one.confirmedAt, one.from, one.to].join()),
  );
  change.gaps = change.gaps.filter((one) => !stored.delete([one.from, one.to].join()));
  const gone = [...stored.values()];
  if (gone.length === 0) return;
  await manager.query('DELETE FROM transitions WHERE id = ANY($1::uuid[])', [gone]);
  await manager.query('DELETE FROM spans WHERE id = ANY($1::uuid[])', [gone]);
}
