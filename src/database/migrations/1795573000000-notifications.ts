import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities, except for the partial indexes. */
const STATEMENTS = [
  `CREATE TABLE "unplanned_events" (
      "event_id" uuid NOT NULL,
      "sequence" bigint NOT NULL,
      "failures" integer NOT NULL DEFAULT '0',
      "retry_at" TIMESTAMP(3) WITH TIME ZONE,
      "team_id" uuid NOT NULL,
      "resource_type" text NOT NULL,
      "resource_id" text NOT NULL,
      CONSTRAINT "PK_118e49ab68ad1cbb13ef5c55af0" PRIMARY KEY ("event_id")
  )`,
  `CREATE INDEX "unplanned_events_resource" ON "unplanned_events" ("team_id", "resource_id")`,
  `CREATE INDEX "unplanned_events_settings" ON "unplanned_events" ("team_id") WHERE "resource_type" NOT IN ('incident', 'monitor')`,
  `CREATE TABLE "notifications" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "key" text NOT NULL,
      "alert_key" text NOT NULL,
      "kind" text NOT NULL,
      "event_id" uuid NOT NULL,
      "incident_id" uuid,
      "monitor_ids" uuid array NOT NULL,
      "policy_id" uuid,
      "step" integer NOT NULL,
      "repeat" integer NOT NULL,
      "channel_id" uuid,
      "status" text NOT NULL,
      "reason" text,
      "collected_into" text,
      "replaces_trigger" boolean NOT NULL DEFAULT false,
      "note" text,
      "attempts" jsonb NOT NULL DEFAULT '[]',
      "settled" boolean NOT NULL DEFAULT false,
      "message_id" uuid,
      "due_at" TIMESTAMP(3) WITH TIME ZONE,
      "next_attempt_at" TIMESTAMP(3) WITH TIME ZONE,
      "give_up_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "sent_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "notifications_key" UNIQUE ("key"),
      CONSTRAINT "PK_6a72c3c0f683f6462415e653c3a" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "notifications_alert" ON "notifications" ("alert_key")`,
  `CREATE INDEX "notifications_incident" ON "notifications" ("team_id", "incident_id", "created_at", "id")`,
  `CREATE INDEX "notifications_team_created" ON "notifications" ("team_id", "created_at", "id")`,
  `CREATE INDEX "notifications_due" ON "notifications" ("channel_id", "next_attempt_at") WHERE "next_attempt_at" IS NOT NULL`,
  `CREATE INDEX "notifications_due_order" ON "notifications" ("channel_id", "due_at", "id") WHERE "next_attempt_at" IS NOT NULL`,
  `CREATE TABLE "notification_timers" (
      "alert_key" text NOT NULL,
      "team_id" uuid NOT NULL,
      "subject_id" uuid NOT NULL,
      "event" text NOT NULL,
      "monitors" jsonb NOT NULL,
      "recorded_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "closed_at" TIMESTAMP(3) WITH TIME ZONE,
      "due_at" TIMESTAMP(3) WITH TIME ZONE,
      "failures" integer NOT NULL DEFAULT '0',
      CONSTRAINT "PK_b1b39ed3d642600ff8ab0a15ae0" PRIMARY KEY ("alert_key")
  )`,
  `CREATE INDEX "notification_timers_recorded" ON "notification_timers" ("team_id", "recorded_at")`,
  `CREATE INDEX "notification_timers_subject" ON "notification_timers" ("subject_id")`,
  `CREATE INDEX "notification_timers_due" ON "notification_timers" ("due_at") WHERE "due_at" IS NOT NULL`,
  `CREATE INDEX "notification_timers_open" ON "notification_timers" ("team_id") WHERE "closed_at" IS NULL`,
  `CREATE INDEX "notification_timers_degraded" ON "notification_timers" ((monitors -> 0 ->> 'id')) WHERE "closed_at" IS NULL AND "event" = 'degraded'`,
  `CREATE TABLE "notification_channel_claims" (
      "channel_id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "claimed_by" uuid,
      "claimed_until" TIMESTAMP(3) WITH TIME ZONE,
      "blocked_until" TIMESTAMP(3) WITH TIME ZONE,
      "collects_until" TIMESTAMP(3) WITH TIME ZONE,
      "failing_since" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "PK_f1ffcc77ee356e92830e42538a2" PRIMARY KEY ("channel_id")
  )`,
  `ALTER TABLE "incidents" ADD "notified_at" TIMESTAMP(3) WITH TIME ZONE`,
  `ALTER TABLE "notifications"
  ADD CONSTRAINT "FK_b71f6686254f9e0c8aa707aa64e" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "notification_timers"
  ADD CONSTRAINT "FK_11998ee3731c7c3401deaca328b" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "notification_channel_claims"
  ADD CONSTRAINT "FK_1b4b4dd9488d74fb7101191e49e" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class Notifications1795573000000 implements MigrationInterface {
  readonly name = 'Notifications1795573000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "incidents" DROP COLUMN "notified_at"');
    await queryRunner.query('DROP TABLE "notification_channel_claims"');
    await queryRunner.query('DROP TABLE "notification_timers"');
    await queryRunner.query('DROP TABLE "notifications"');
    await queryRunner.query('DROP TABLE "unplanned_events"');
  }
}
