import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities, except for the partial indexes. */
const STATEMENTS = [
  `CREATE TABLE "maintenance_windows" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "revision" integer NOT NULL DEFAULT '1',
      "key" text,
      "name" text NOT NULL,
      "description" text,
      "monitor_ids" uuid array NOT NULL,
      "tags" text array NOT NULL,
      "starts_at" TIMESTAMP(3) WITH TIME ZONE,
      "ends_at" TIMESTAMP(3) WITH TIME ZONE,
      "timezone" text NOT NULL,
      "rrule" text,
      "public" boolean NOT NULL,
      "started_at" TIMESTAMP(3) WITH TIME ZONE,
      "started_until" TIMESTAMP(3) WITH TIME ZONE,
      "cut_at" TIMESTAMP(3) WITH TIME ZONE,
      "settled_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "active_from" TIMESTAMP(3) WITH TIME ZONE,
      "active_until" TIMESTAMP(3) WITH TIME ZONE,
      "next_starts_at" TIMESTAMP(3) WITH TIME ZONE,
      "due_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "maintenance_windows_team_key" UNIQUE ("team_id", "key"),
      CONSTRAINT "PK_c939ec0e19687a7d64b5e357d28" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "maintenance_windows_team_created" ON "maintenance_windows" ("team_id", "created_at", "id")`,
  `ALTER TABLE "maintenance_windows"
  ADD CONSTRAINT "FK_51ba363eb70c5e6a513c90a578c" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "spans" ADD "window_id" uuid`,
  `ALTER TABLE "spans"
  ADD CONSTRAINT "FK_a9d04f1c9692944fc593497a35a" FOREIGN KEY ("window_id") REFERENCES "maintenance_windows"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `ALTER TABLE "monitor_states" ADD "maintenance_from" TIMESTAMP(3) WITH TIME ZONE`,
  `ALTER TABLE "monitor_states" ADD "maintenance_until" TIMESTAMP(3) WITH TIME ZONE`,
  `CREATE INDEX "maintenance_windows_due" ON "maintenance_windows" ("due_at") WHERE "due_at" IS NOT NULL`,
  `CREATE INDEX "maintenance_windows_tagged" ON "maintenance_windows" ("active_from") WHERE "active_from" IS NOT NULL AND "tags" <> '{}'`,
  `CREATE INDEX "spans_window" ON "spans" ("window_id", "ends_at") WHERE "window_id" IS NOT NULL`,
  `CREATE INDEX "spans_maintenance" ON "spans" ("monitor_id", "ends_at") WHERE "kind" = 'maintenance'`,
  `CREATE INDEX "monitor_states_maintenance_begins" ON "monitor_states" ("maintenance_from")
    WHERE "maintenance_from" IS NOT NULL AND "status" NOT IN ('maintenance', 'paused')`,
  `CREATE INDEX "monitor_states_maintenance_ends" ON "monitor_states" ("maintenance_until") WHERE "maintenance_until" IS NOT NULL`,
];

const UNDO = [
  'ALTER TABLE "monitor_states" DROP COLUMN "maintenance_until", DROP COLUMN "maintenance_from"',
  'ALTER TABLE "spans" DROP COLUMN "window_id"',
  'DROP INDEX IF EXISTS "spans_maintenance"',
  'DROP TABLE "maintenance_windows"',
];

export class MaintenanceWindows1795200000000 implements MigrationInterface {
  readonly name = 'MaintenanceWindows1795200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UNDO) await queryRunner.query(statement);
  }
}
