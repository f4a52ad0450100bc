import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. Written by hand: the partial index, and the schedules of existing monitors. */
const STATEMENTS = [
  `CREATE TABLE "exclusions" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "monitor_ids" uuid array NOT NULL,
      "tags" text array NOT NULL,
      "member_ids" uuid array NOT NULL,
      "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "reason" text NOT NULL,
      "created_by" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
      "deleted_by" text,
      CONSTRAINT "PK_1aa551b63ab576ab22f74130a15" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "exclusions_team_created" ON "exclusions" ("team_id", "created_at", "id")`,
  `CREATE TABLE "monitor_schedules" (
      "monitor_id" uuid NOT NULL,
      "from_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "interval_seconds" integer NOT NULL,
      "locations" text array NOT NULL,
      CONSTRAINT "PK_b36d23aefe703c45fd8cb2797c3" PRIMARY KEY ("monitor_id", "from_at")
  )`,
  `ALTER TABLE "spans" ADD "exclusion_id" uuid`,
  `ALTER TABLE "daily_rollups" ADD "checks_late" integer NOT NULL DEFAULT '0'`,
  `ALTER TABLE "exclusions"
  ADD CONSTRAINT "FK_163ad4b7ad2dd629f1359541083" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "monitor_schedules"
  ADD CONSTRAINT "FK_591f57b2fda08525757015e15c2" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "spans"
  ADD CONSTRAINT "FK_acb0b676c36c4ac9254c5cdf051" FOREIGN KEY ("exclusion_id") REFERENCES "exclusions"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `CREATE INDEX "spans_exclusion" ON "spans" ("exclusion_id") WHERE "exclusion_id" IS NOT NULL`,
  // Earlier schedules are unknown, so the current one is assumed to have applied since the monitor was created.
  `INSERT INTO "monitor_schedules" ("monitor_id", "from_at", "interval_seconds", "locations")
  SELECT "id", "created_at", "interval_seconds", "locations" FROM "monitors"`,
];

export class ExclusionsAndFidelity1795200060000 implements MigrationInterface {
  readonly name = 'ExclusionsAndFidelity1795200060000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM "spans" WHERE "exclusion_id" IS NOT NULL');
    await queryRunner.query('ALTER TABLE "spans" DROP COLUMN "exclusion_id"');
    await queryRunner.query('ALTER TABLE "daily_rollups" DROP COLUMN "checks_late"');
    await queryRunner.query('DROP TABLE "monitor_schedules"');
    await queryRunner.query('DROP TABLE "exclusions"');
  }
}
