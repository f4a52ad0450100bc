import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities, except for the last indexes, which entities cannot describe. */
const STATEMENTS = [
  `CREATE TABLE "subscriber_webhooks" (
      "id" uuid NOT NULL,
      "subscriber_id" uuid NOT NULL,
      "url" text NOT NULL,
      "secret" text NOT NULL,
      "status" text NOT NULL,
      "error" text,
      "due_at" TIMESTAMP(3) WITH TIME ZONE,
      "failures" integer NOT NULL DEFAULT '0',
      "failing_since" TIMESTAMP(3) WITH TIME ZONE,
      "end_unreported" boolean NOT NULL DEFAULT false,
      CONSTRAINT "UQ_a62280fd621e7ce370a8ce31c56" UNIQUE ("subscriber_id"),
      CONSTRAINT "PK_2e0a622907b8e914cb3ffd82e91" PRIMARY KEY ("id")
  )`,
  `CREATE TABLE "subscriber_webhook_deliveries" (
      "id" uuid NOT NULL,
      "webhook_id" uuid NOT NULL,
      "publication_id" uuid NOT NULL,
      "status" text NOT NULL,
      "last_attempt_at" TIMESTAMP(3) WITH TIME ZONE,
      "error" text,
      CONSTRAINT "subscriber_webhook_deliveries_once" UNIQUE ("webhook_id", "publication_id"),
      CONSTRAINT "PK_3eabfa1d510a8202fd305299007" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "subscriber_webhook_deliveries_publication" ON "subscriber_webhook_deliveries" ("publication_id")`,
  `ALTER TABLE "subscriber_webhooks"
  ADD CONSTRAINT "FK_a62280fd621e7ce370a8ce31c56" FOREIGN KEY ("subscriber_id") REFERENCES "status_page_subscribers"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "subscriber_webhook_deliveries"
  ADD CONSTRAINT "FK_8c13fd0386e2d51bd130bcd7f5a" FOREIGN KEY ("webhook_id") REFERENCES "subscriber_webhooks"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "subscriber_webhook_deliveries"
  ADD CONSTRAINT "FK_08ae0a447ec7a5470fdf549e02f" FOREIGN KEY ("publication_id") REFERENCES "subscriber_publications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `CREATE INDEX "subscriber_webhooks_due" ON "subscriber_webhooks" ("due_at", "id") WHERE "due_at" IS NOT NULL`,
  `CREATE INDEX "subscriber_webhook_deliveries_attempted" ON "subscriber_webhook_deliveries" ("last_attempt_at") WHERE "last_attempt_at" IS NOT NULL`,
];

export class SubscriberWebhooks1795584000000 implements MigrationInterface {
  readonly name = 'SubscriberWebhooks1795584000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "subscriber_webhook_deliveries"');
    await queryRunner.query('DROP TABLE "subscriber_webhooks"');
  }
}
