import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
const STATEMENTS = [
  `CREATE TABLE "notification_policies" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "revision" integer NOT NULL DEFAULT '1',
      "key" text,
      "name" text NOT NULL,
      "enabled" boolean NOT NULL,
      "active_since" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "match" jsonb NOT NULL,
      "events" text array NOT NULL,
      "steps" jsonb NOT NULL,
      "repeat_every_seconds" integer,
      "quiet_hours" jsonb,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "notification_policies_team_id" UNIQUE ("team_id", "id"),
      CONSTRAINT "notification_policies_team_key" UNIQUE ("team_id", "key"),
      CONSTRAINT "PK_869308526ba1f3e57fad1723a5d" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "notification_policies_team_created" ON "notification_policies" ("team_id", "created_at", "id")`,
  `CREATE TABLE "silences" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "match" jsonb NOT NULL,
      "reason" text NOT NULL,
      "created_by" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "ends_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "silences_team_id" UNIQUE ("team_id", "id"),
      CONSTRAINT "PK_b4439bdeda8c2240b661f157884" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "silences_team_created" ON "silences" ("team_id", "created_at", "id")`,
  `ALTER TABLE "notification_policies"
  ADD CONSTRAINT "FK_caf07703280c358b5f73c808334" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "silences"
  ADD CONSTRAINT "FK_a4f8f4750cbc026cb1e20b06b86" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class NotificationPolicies1795571000000 implements MigrationInterface {
  readonly name = 'NotificationPolicies1795571000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "silences"');
    await queryRunner.query('DROP TABLE "notification_policies"');
  }
}
