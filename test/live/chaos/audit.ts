import { type OwnCluster } from '../../support/own-cluster.js';
import { SHARDS } from './wire.js';

/**
 * Triggers that record, in the transactions of the service themselves, who takes leases and who writes what only the
 * holder of a lease may write. Each process has its name as `application_name`.
 */
const STATEMENTS = [
  'CREATE TABLE chaos_members (holder uuid PRIMARY KEY, application text NOT NULL)',
  `CREATE TABLE chaos_leases (name text, application text, holder uuid, epoch int, former_holder uuid, former_epoch int,
     former_served timestamptz, former_expires timestamptz, at timestamptz DEFAULT clock_timestamp())`,
  'CREATE TABLE chaos_intrusions (what text, shard int, application text, at timestamptz DEFAULT clock_timestamp())',
  `CREATE FUNCTION chaos_note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO chaos_members VALUES (NEW.holder, current_setting('application_name')) ON CONFLICT DO NOTHING;
     IF TG_OP = 'INSERT' THEN
       INSERT INTO chaos_leases VALUES (NEW.name, current_setting('application_name'), NEW.holder, NEW.epoch);
     ELSIF NEW.holder <> OLD.holder OR NEW.epoch <> OLD.epoch THEN
       INSERT INTO chaos_leases VALUES (NEW.name, current_setting('application_name'), NEW.holder, NEW.epoch,
         OLD.holder, OLD.epoch, OLD.served_until, OLD.expires_at);
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER chaos_note_lease AFTER INSERT OR UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION chaos_note_lease()`,
  `CREATE FUNCTION chaos_expect_lease(kind text, of_shard int) RETURNS void LANGUAGE sql AS $$
     INSERT INTO chaos_intrusions (what, shard, application)
     SELECT kind, of_shard, current_setting('application_name') WHERE NOT EXISTS (
       SELECT FROM leases l JOIN chaos_members m ON m.holder = l.holder
       WHERE l.name = kind || '-' || of_shard AND m.application = current_setting('application_name')) $$`,
  `CREATE FUNCTION chaos_expect_recorder() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     PERFORM chaos_expect_lease('recorder', shard_of(NEW.monitor_id, ${SHARDS}));
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER chaos_expect_recorder AFTER INSERT ON checks FOR EACH ROW EXECUTE FUNCTION chaos_expect_recorder()`,
  `CREATE FUNCTION chaos_expect_dispatcher() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     PERFORM chaos_expect_lease('dispatcher', NEW.shard);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER chaos_expect_dispatcher AFTER INSERT ON spans FOR EACH ROW
     WHEN (NEW.kind = 'absence' AND NEW.shard IS NOT NULL) EXECUTE FUNCTION chaos_expect_dispatcher()`,
];

/** A change of the holder of a lease; epoch milliseconds. */
export interface LeaseChange {
  name: string;
  application: string;
  epoch: number;
  formerApplication: string | null;
  formerEpoch: number | null;
  formerServed: number | null;
  formerExpires: number | null;
  at: number;
}

/** Something that was written without the lease for it. */
export interface Intrusion {
  what: string;
  shard: number;
  application: string;
  at: number;
}

/** Begins to record what the processes on a database do under their leases. */
export async function installAudit(cluster: OwnCluster): Promise<void> {
  for (const statement of STATEMENTS) await cluster.query(statement);
}

/** Returns the changes of holders, oldest first. */
export async function leaseChanges(cluster: OwnCluster): Promise<LeaseChange[]> {
  return cluster.query(
    `SELECT l.name, l.application, l.epoch, m.application AS "formerApplication", l.former_epoch AS "formerEpoch",
       (extract(epoch FROM l.former_served) * 1000)::float8 AS "formerServed",
       (extract(epoch FROM l.former_expires) * 1000)::float8 AS "formerExpires",
       (extract(epoch FROM l.at) * 1000)::float8 AS at
     FROM chaos_leases l LEFT JOIN chaos_members m ON m.holder = l.former_holder ORDER BY l.at`,
  );
}

export async function intrusions(cluster: OwnCluster): Promise<Intrusion[]> {
  return cluster.query(
    `SELECT what, shard, application, (extract(epoch FROM at) * 1000)::float8 AS at FROM chaos_intrusions ORDER BY at`,
  );
}
