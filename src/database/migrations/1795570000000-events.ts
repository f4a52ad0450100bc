import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
const STATEMENTS = [
  `CREATE TABLE "events" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "era" integer NOT NULL,
      "transaction_id" bigint NOT NULL,
      "sequence" BIGSERIAL NOT NULL,
      "type" text NOT NULL,
      "occurred_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "recorded_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "actor_type" text NOT NULL,
      "actor_id" text,
      "actor_name" text,
      "request_id" text,
      "resource_type" text NOT NULL,
      "resource_id" text NOT NULL,
      "resource_key" text,
      "resource_name" text,
      "changes" jsonb,
      "data" jsonb NOT NULL,
      CONSTRAINT "PK_40731c7151fe4be3116e45ddf73" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "events_recorded" ON "events" ("recorded_at")`,
  `CREATE INDEX "events_resource" ON "events" ("team_id", "resource_id", "era", "transaction_id", "sequence")`,
  `CREATE INDEX "events_order" ON "events" ("team_id", "era", "transaction_id", "sequence")`,
  `ALTER TABLE "maintenance_windows" ADD "reported_active" boolean NOT NULL DEFAULT false`,
  `ALTER TABLE "instance" ADD "era" integer NOT NULL DEFAULT '1'`,
  `ALTER TABLE "events"
  ADD CONSTRAINT "FK_68c1539e751b40d1f1950a089b5" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class Events1795570000000 implements MigrationInterface {
  readonly name = 'Events1795570000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "events"');
    await queryRunner.query('ALTER TABLE "maintenance_windows" DROP COLUMN "reported_active"');
    await queryRunner.query('ALTER TABLE "instance" DROP COLUMN "era"');
  }
}
