import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. Written by hand: the partial indexes with which the sweeper finds its work. */
const STATEMENTS = [
  `CREATE TABLE "incidents" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "revision" integer NOT NULL DEFAULT '1',
      "kind" text NOT NULL,
      "title" text NOT NULL,
      "own_title" boolean NOT NULL DEFAULT false,
      "impact" text NOT NULL,
      "parent_incident_id" uuid,
      "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "confirmed_at" TIMESTAMP(3) WITH TIME ZONE,
      "resolved_at" TIMESTAMP(3) WITH TIME ZONE,
      "settles_at" TIMESTAMP(3) WITH TIME ZONE,
      "outage_count" integer NOT NULL DEFAULT '0',
      "cause" jsonb,
      "acknowledged_at" TIMESTAMP(3) WITH TIME ZONE,
      "acknowledged_by" text,
      "acknowledge_note" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "incidents_team_id" UNIQUE ("team_id", "id"),
      CONSTRAINT "PK_ccb34c01719889017e2246469f9" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "incidents_parent" ON "incidents" ("parent_incident_id")`,
  `CREATE INDEX "incidents_team_started" ON "incidents" ("team_id", "started_at", "id")`,
  `CREATE TABLE "incident_monitors" (
      "incident_id" uuid NOT NULL,
      "monitor_id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      CONSTRAINT "PK_502e41868ce1321deac3e54c2b5" PRIMARY KEY ("incident_id", "monitor_id")
  )`,
  `CREATE INDEX "incident_monitors_monitor" ON "incident_monitors" ("monitor_id", "incident_id")`,
  `CREATE TABLE "incident_updates" (
      "id" uuid NOT NULL,
      "incident_id" uuid NOT NULL,
      "at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "phase" text NOT NULL,
      "text" text NOT NULL,
      "author" text NOT NULL,
      "public" boolean NOT NULL,
      CONSTRAINT "PK_161dab39f96098bce901c2515c0" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "incident_updates_incident" ON "incident_updates" ("incident_id", "at", "id")`,
  `ALTER TABLE "incidents"
  ADD CONSTRAINT "FK_58f33aa496c8256e5afa4c3a21a" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "incidents"
  ADD CONSTRAINT "FK_1177ca10ac742c6a382d48f01e8" FOREIGN KEY ("parent_incident_id") REFERENCES "incidents"("id") ON DELETE SET NULL ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED`,
  `ALTER TABLE "incident_monitors"
  ADD CONSTRAINT "FK_7bd33f1e4647e353d64adbd0648" FOREIGN KEY ("incident_id", "team_id") REFERENCES "incidents"("id","team_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "incident_monitors"
  ADD CONSTRAINT "FK_a624e2fe97b590941e6770a372e" FOREIGN KEY ("monitor_id", "team_id") REFERENCES "monitors"("id","team_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "incident_updates"
  ADD CONSTRAINT "FK_795f420f5198c93365eef6565f2" FOREIGN KEY ("incident_id") REFERENCES "incidents"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `CREATE INDEX "incidents_open" ON "incidents" ("id") WHERE "resolved_at" IS NULL`,
  `CREATE INDEX "incidents_settling" ON "incidents" ("settles_at") WHERE "settles_at" IS NOT NULL`,
  `CREATE INDEX "monitor_states_down" ON "monitor_states" ("monitor_id") WHERE "status" = 'down'`,
];

export class Incidents1795200180000 implements MigrationInterface {
  readonly name = 'Incidents1795200180000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "monitor_states_down"');
    for (const table of ['incident_updates', 'incident_monitors', 'incidents']) {
      await queryRunner.query(`DROP TABLE "${table}"`);
    }
  }
}
