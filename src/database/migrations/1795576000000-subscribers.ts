import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Generated from the entities, except for the last indexes, which entities cannot describe, and that
 * `subscription_letters` is unlogged: losing it in a crash only resets a limit, and backups leave it out.
 */
const STATEMENTS = [
  `CREATE TABLE "unpublished_events" (
      "event_id" uuid NOT NULL,
      "sequence" bigint NOT NULL,
      "failures" integer NOT NULL DEFAULT '0',
      "retry_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "PK_da0f1b471c9255c12d4f8e97522" PRIMARY KEY ("event_id")
  )`,
  `CREATE TABLE "erased_subscribers" (
      "status_page_id" uuid NOT NULL,
      "address_hash" bytea NOT NULL,
      "team_id" uuid NOT NULL,
      "erased_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_a9ef3aebe1e562fcc2f773bfb98" PRIMARY KEY ("status_page_id", "address_hash")
  )`,
  `CREATE TABLE "subscriber_publications" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "status_page_id" uuid NOT NULL,
      "source" text NOT NULL,
      "content" jsonb NOT NULL,
      "component_ids" uuid array NOT NULL,
      "published_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "subscriber_publications_source" UNIQUE ("status_page_id", "source"),
      CONSTRAINT "PK_d605f995092382e22612e261624" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "subscriber_publications_published" ON "subscriber_publications" ("published_at")`,
  `CREATE UNLOGGED TABLE "subscription_letters" (
      "id" uuid NOT NULL,
      "address_hash" bytea NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_b3bd58158791e27669be03cf111" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "subscription_letters_address" ON "subscription_letters" ("address_hash", "created_at")`,
  `CREATE TABLE "status_page_subscribers" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "status_page_id" uuid NOT NULL,
      "email" text NOT NULL,
      "status" text NOT NULL,
      "component_ids" uuid array,
      "consent_source" text,
      "confirmed_at" TIMESTAMP(3) WITH TIME ZONE,
      "due_at" TIMESTAMP(3) WITH TIME ZONE,
      "last_attempt_at" TIMESTAMP(3) WITH TIME ZONE,
      "failures" integer NOT NULL DEFAULT '0',
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "status_page_subscribers_email" UNIQUE ("status_page_id", "email"),
      CONSTRAINT "PK_2859405b480e50ce9bc4b43da9a" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "status_page_subscribers_team" ON "status_page_subscribers" ("team_id")`,
  `CREATE INDEX "status_page_subscribers_created" ON "status_page_subscribers" ("status_page_id", "created_at", "id")`,
  `CREATE TABLE "subscriber_deliveries" (
      "subscriber_id" uuid NOT NULL,
      "publication_id" uuid NOT NULL,
      "mail_id" uuid,
      "status" text NOT NULL,
      "sent_at" TIMESTAMP(3) WITH TIME ZONE,
      "error" text,
      CONSTRAINT "PK_6ad69311c6aef72c5f60ffd92cb" PRIMARY KEY ("subscriber_id", "publication_id")
  )`,
  `CREATE INDEX "subscriber_deliveries_publication" ON "subscriber_deliveries" ("publication_id")`,
  `ALTER TABLE "maintenance_windows" ADD "notify_subscribers" boolean NOT NULL DEFAULT false`,
  `ALTER TABLE "status_pages" ADD "announce_detected" boolean NOT NULL DEFAULT false`,
  `ALTER TABLE "status_pages" ADD "announce_after_seconds" integer NOT NULL DEFAULT '300'`,
  `ALTER TABLE "erased_subscribers"
  ADD CONSTRAINT "FK_be49abb2c254fdb4a12ed9e2767" FOREIGN KEY ("status_page_id", "team_id") REFERENCES "status_pages"("id","team_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "subscriber_publications"
  ADD CONSTRAINT "FK_50afe6390cc8489ed52014cc82c" FOREIGN KEY ("status_page_id", "team_id") REFERENCES "status_pages"("id","team_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "status_page_subscribers"
  ADD CONSTRAINT "FK_c585264c2eefc898316ad576a2c" FOREIGN KEY ("status_page_id", "team_id") REFERENCES "status_pages"("id","team_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "subscriber_deliveries"
  ADD CONSTRAINT "FK_9cae79db14640ac73075bb3b6b6" FOREIGN KEY ("subscriber_id") REFERENCES "status_page_subscribers"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "subscriber_deliveries"
  ADD CONSTRAINT "FK_95df59030a2b27872be606d0e87" FOREIGN KEY ("publication_id") REFERENCES "subscriber_publications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `CREATE INDEX "status_page_subscribers_due" ON "status_page_subscribers" ("due_at", "id") WHERE "due_at" IS NOT NULL`,
  `CREATE INDEX "status_page_subscribers_attempted" ON "status_page_subscribers" ("last_attempt_at") WHERE "last_attempt_at" IS NOT NULL`,
  `CREATE INDEX "status_page_subscribers_pending" ON "status_page_subscribers" ("created_at") WHERE "status" = 'pending'`,
  `CREATE INDEX "status_pages_announcing" ON "status_pages" ("id") WHERE "announce_detected"`,
  `CREATE INDEX "subscriber_publications_subject" ON "subscriber_publications" (("content" ->> 'subjectId'))`,
  `CREATE INDEX "subscriber_publications_detected" ON "subscriber_publications" ("id") WHERE "content" ->> 'state' = 'detected'`,
];

export class Subscribers1795576000000 implements MigrationInterface {
  readonly name = 'Subscribers1795576000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE "${table}"`);
    await queryRunner.query(
      `ALTER TABLE "status_pages" DROP COLUMN "announce_detected", DROP COLUMN "announce_after_seconds"`,
    );
    await queryRunner.query(`ALTER TABLE "maintenance_windows" DROP COLUMN "notify_subscribers"`);
  }
}

/** Those that refer to others first. */
const TABLES = [
  'subscriber_deliveries',
  'subscriber_publications',
  'status_page_subscribers',
  'erased_subscribers',
  'subscription_letters',
  'unpublished_events',
];
