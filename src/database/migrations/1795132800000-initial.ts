import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. Written by hand: the sequence, partitions, fill factors, GIN and partial indexes. */
const STATEMENTS = [
  `CREATE SEQUENCE "check_request_attempts" AS integer INCREMENT -1 MINVALUE -2147483648 MAXVALUE -1 CYCLE`,
  `CREATE TABLE "idempotency_keys" (
      "team_id" uuid NOT NULL,
      "key" text NOT NULL,
      "fingerprint" bytea NOT NULL,
      "claimed_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "status_code" integer,
      "headers" jsonb,
      "body" jsonb,
      CONSTRAINT "PK_761ce71e3aa89d8a94544002d3c" PRIMARY KEY ("team_id", "key")
  )`,
  `CREATE INDEX "idempotency_keys_expires" ON "idempotency_keys" ("expires_at")`,
  `CREATE TABLE "teams" (
      "id" uuid NOT NULL,
      "name" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_7e5523774a38b08a6236d322403" PRIMARY KEY ("id")
  )`,
  `CREATE TABLE "api_keys" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "revision" integer NOT NULL DEFAULT '1',
      "name" text NOT NULL,
      "prefix" text NOT NULL,
      "secret_hash" bytea NOT NULL,
      "scopes" text array NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE,
      "last_used_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "created_by" text NOT NULL,
      "revoked_at" TIMESTAMP(3) WITH TIME ZONE,
      "previous_prefix" text,
      "previous_secret_hash" bytea,
      "previous_expires_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "PK_5c8a79801b44bd27b79228e1dad" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX "api_keys_prefix" ON "api_keys" ("prefix")`,
  `CREATE UNIQUE INDEX "api_keys_previous_prefix" ON "api_keys" ("previous_prefix")`,
  `CREATE INDEX "api_keys_team" ON "api_keys" ("team_id", "created_at", "id")`,
  `CREATE TABLE "leases" (
      "name" text NOT NULL,
      "holder" uuid NOT NULL,
      "epoch" integer NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "served_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_8f564523b661f9e2648c3377687" PRIMARY KEY ("name")
  )`,
  `CREATE TABLE "monitors" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "revision" integer NOT NULL DEFAULT '1',
      "key" text,
      "name" text NOT NULL,
      "description" text,
      "type" text NOT NULL,
      "definition" jsonb NOT NULL,
      "target" text NOT NULL,
      "interval_seconds" integer NOT NULL,
      "timeout_ms" integer NOT NULL,
      "degraded_after_ms" integer,
      "failure_threshold" integer NOT NULL,
      "recovery_threshold" integer NOT NULL,
      "retry_interval_seconds" integer,
      "locations" text array NOT NULL,
      "quorum" text NOT NULL,
      "tags" text array NOT NULL,
      "metadata" jsonb NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE,
      "paused_at" TIMESTAMP(3) WITH TIME ZONE,
      "paused_until" TIMESTAMP(3) WITH TIME ZONE,
      "pause_reason" text,
      "resumed_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "monitors_team_key" UNIQUE ("team_id", "key"),
      CONSTRAINT "monitors_team_id" UNIQUE ("team_id", "id"),
      CONSTRAINT "PK_193902e2013887310490284cdbe" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "monitors_team_name" ON "monitors" ("team_id", "name", "id")`,
  `CREATE INDEX "monitors_team_created" ON "monitors" ("team_id", "created_at", "id")`,
  `CREATE TABLE "check_requests" (
      "monitor_id" uuid NOT NULL,
      "scheduled_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "location" text NOT NULL,
      "attempt" integer NOT NULL,
      "trigger" text NOT NULL,
      CONSTRAINT "PK_b2d9690bebe63670ca0b6565a5e" PRIMARY KEY (
          "monitor_id",
          "scheduled_at",
          "location",
          "attempt"
      )
  )`,
  `CREATE TABLE "checks" (
      "monitor_id" uuid NOT NULL,
      "scheduled_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "location" text NOT NULL,
      "attempt" integer NOT NULL,
      "checked_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "trigger" text NOT NULL,
      "status" text NOT NULL,
      "monitor_revision" integer NOT NULL,
      "interval_seconds" integer NOT NULL,
      "status_code" integer,
      "response_time_ms" real,
      "dns_ms" real,
      "connect_ms" real,
      "tls_ms" real,
      "first_byte_ms" real,
      "transfer_ms" real,
      "remote_address" text,
      "error_code" text,
      "error_message" text,
      "failed_assertions" jsonb,
      CONSTRAINT "PK_5ce7fa5fabd3b97e8bc3c0ab2bf" PRIMARY KEY (
          "monitor_id",
          "scheduled_at",
          "location",
          "attempt"
      )
  ) PARTITION BY RANGE ("scheduled_at")`,
  `CREATE TABLE "location_states" (
      "monitor_id" uuid NOT NULL,
      "location" text NOT NULL,
      "fold" jsonb NOT NULL,
      "holds_until" TIMESTAMP(3) WITH TIME ZONE,
      "missing_from" TIMESTAMP(3) WITH TIME ZONE,
      "checkpoint_through" TIMESTAMP(3) WITH TIME ZONE,
      "last_check_at" TIMESTAMP(3) WITH TIME ZONE,
      "version" integer NOT NULL DEFAULT '0',
      CONSTRAINT "PK_5e725573fb24d92c35a467ce5e6" PRIMARY KEY ("monitor_id", "location")
  ) WITH (fillfactor = 80)`,
  `CREATE TABLE "monitor_checkpoints" (
      "monitor_id" uuid NOT NULL,
      "location" text NOT NULL,
      "through" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "fold" jsonb NOT NULL,
      CONSTRAINT "PK_4d51dd03957ad14d4d0fed0b0e6" PRIMARY KEY ("monitor_id", "location", "through")
  )`,
  `CREATE TABLE "monitor_states" (
      "monitor_id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "status" text NOT NULL,
      "verifying" text,
      "status_since" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "version" integer NOT NULL DEFAULT '1',
      CONSTRAINT "PK_ca64138d2ab0f884f3e8761761d" PRIMARY KEY ("monitor_id")
  )`,
  `CREATE INDEX "monitor_states_team_since" ON "monitor_states" ("team_id", "status_since", "monitor_id")`,
  `CREATE INDEX "monitor_states_team_status" ON "monitor_states" ("team_id", "status")`,
  `CREATE TABLE "spans" (
      "id" uuid NOT NULL,
      "monitor_id" uuid,
      "location" text,
      "kind" text NOT NULL,
      "starts_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "ends_at" TIMESTAMP(3) WITH TIME ZONE,
      "reason" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_d6c9292739a30f7656d16a46881" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "spans_monitor" ON "spans" ("monitor_id", "starts_at")`,
  `CREATE TABLE "transitions" (
      "id" uuid NOT NULL,
      "monitor_id" uuid NOT NULL,
      "location" text NOT NULL,
      "at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "confirmed_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "from_status" text NOT NULL,
      "to_status" text NOT NULL,
      "error_code" text,
      CONSTRAINT "PK_623bb4d161fca5fdc7e6a79248c" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "transitions_monitor_at" ON "transitions" ("monitor_id", "at")`,
  `CREATE TABLE "status_pages" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "revision" integer NOT NULL DEFAULT '1',
      "key" text,
      "name" text NOT NULL,
      "slug" text NOT NULL,
      "description" text,
      "published" boolean NOT NULL,
      "access_type" text NOT NULL,
      "password_hash" text,
      "timezone" text NOT NULL,
      "history_days" integer NOT NULL,
      "theme" text NOT NULL,
      "logo_url" text,
      "homepage_url" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "status_pages_slug" UNIQUE ("slug"),
      CONSTRAINT "status_pages_team_key" UNIQUE ("team_id", "key"),
      CONSTRAINT "status_pages_team_id" UNIQUE ("team_id", "id"),
      CONSTRAINT "PK_360e97c9c5ba8a8f5ca88315028" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "status_pages_team_created" ON "status_pages" ("team_id", "created_at", "id")`,
  `CREATE TABLE "status_page_components" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "status_page_id" uuid NOT NULL,
      "monitor_id" uuid NOT NULL,
      "position" integer NOT NULL,
      "name" text NOT NULL,
      "description" text,
      "group_name" text,
      "show_uptime" boolean NOT NULL,
      CONSTRAINT "PK_610fb9d661a2a7dfd1ac1e58b37" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "status_page_components_monitor" ON "status_page_components" ("monitor_id")`,
  `CREATE INDEX "status_page_components_page" ON "status_page_components" ("status_page_id", "position")`,
  `CREATE TABLE "daily_rollups" (
      "monitor_id" uuid NOT NULL,
      "day" date NOT NULL,
      "location" text NOT NULL,
      "checks_total" integer NOT NULL DEFAULT '0',
      "checks_failed" integer NOT NULL DEFAULT '0',
      "response_count" integer NOT NULL DEFAULT '0',
      "response_sum_ms" double precision NOT NULL DEFAULT '0',
      "histogram" integer array NOT NULL DEFAULT '{}',
      CONSTRAINT "PK_be49858f608d5f441878586e2fe" PRIMARY KEY ("monitor_id", "day", "location")
  )`,
  `CREATE TABLE "instance" (
      "id" smallint NOT NULL DEFAULT '1',
      "secret_key_fingerprint" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_eaf60e4a0c399c9935413e06474" PRIMARY KEY ("id")
  )`,
  `ALTER TABLE "api_keys"
  ADD CONSTRAINT "FK_dab6f38770515f36935b6f53963" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "monitors"
  ADD CONSTRAINT "FK_8398bb39e8f0f88822d3aec633d" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "check_requests"
  ADD CONSTRAINT "FK_8a2727ae0b004a3de6e6a31fbd8" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "location_states"
  ADD CONSTRAINT "FK_9cb1934b5ccd61fcdfa5c87b081" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "monitor_checkpoints"
  ADD CONSTRAINT "FK_1d5b83e96dc8b74d61c273c4342" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "monitor_states"
  ADD CONSTRAINT "FK_200a0f8ae8fc75b1197b130961b" FOREIGN KEY ("monitor_id", "team_id") REFERENCES "monitors"("id", "team_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "spans"
  ADD CONSTRAINT "FK_0ac2927952647d104be9ddbc877" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "transitions"
  ADD CONSTRAINT "FK_92324ffaffbced879b32234ffe1" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "status_pages"
  ADD CONSTRAINT "FK_9b216c8aaceee5ef97ba090d7b2" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "status_page_components"
  ADD CONSTRAINT "FK_fed8ba13cc7548541b90d770155" FOREIGN KEY ("status_page_id", "team_id") REFERENCES "status_pages"("id", "team_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "status_page_components"
  ADD CONSTRAINT "FK_a028555a222704acc116e2d59e7" FOREIGN KEY ("monitor_id", "team_id") REFERENCES "monitors"("id", "team_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "daily_rollups"
  ADD CONSTRAINT "FK_3f29f3cf4ce10ce649ada9cab40" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `CREATE INDEX "monitors_tags" ON "monitors" USING gin ("tags")`,
  `CREATE INDEX "monitors_expires" ON "monitors" ("expires_at") WHERE "expires_at" IS NOT NULL`,
  `CREATE INDEX "spans_location" ON "spans" ("location", "starts_at") WHERE "monitor_id" IS NULL`,
];

const TABLES = [
  'status_page_components',
  'status_pages',
  'daily_rollups',
  'transitions',
  'spans',
  'monitor_states',
  'monitor_checkpoints',
  'location_states',
  'checks',
  'check_requests',
  'monitors',
  'leases',
  'instance',
  'api_keys',
  'teams',
  'idempotency_keys',
];

export class Initial1795132800000 implements MigrationInterface {
  readonly name = 'Initial1795132800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE "${table}" CASCADE`);
    await queryRunner.query('DROP SEQUENCE "check_request_attempts"');
  }
}
