import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
const STATEMENTS = [
  `CREATE TABLE "notification_channels" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "revision" integer NOT NULL DEFAULT '1',
      "key" text,
      "name" text NOT NULL,
      "type" text NOT NULL,
      "enabled" boolean NOT NULL,
      "settings" jsonb NOT NULL,
      "last_sent_at" TIMESTAMP(3) WITH TIME ZONE,
      "last_failed_at" TIMESTAMP(3) WITH TIME ZONE,
      "last_error" text,
      "failing_since" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "notification_channels_team_id" UNIQUE ("team_id", "id"),
      CONSTRAINT "notification_channels_team_key" UNIQUE ("team_id", "key"),
      CONSTRAINT "PK_3bc0cb5b60e8659f5fc859b2af0" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "notification_channels_team_created" ON "notification_channels" ("team_id", "created_at", "id")`,
  `ALTER TABLE "notification_channels"
  ADD CONSTRAINT "FK_9a86d2ba031a324b25b58ca8e25" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class NotificationChannels1795572000000 implements MigrationInterface {
  readonly name = 'NotificationChannels1795572000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "notification_channels"');
  }
}
