import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities, except for the index of unconfirmed subscribers, which entities cannot describe. */
const STATEMENTS = [
  `CREATE TABLE "quarantined_addresses" (
      "address_hash" bytea NOT NULL,
      "status" text,
      "reason" text,
      "transient_bounces" integer NOT NULL DEFAULT '0',
      "counted_at" TIMESTAMP(3) WITH TIME ZONE,
      "message_ids" text array NOT NULL,
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_ec0f40db88b3760817b338f0e2b" PRIMARY KEY ("address_hash")
  )`,
  `ALTER TABLE "status_page_subscribers" ADD "status_reason" text`,
  `CREATE INDEX "status_page_subscribers_address" ON "status_page_subscribers" ("email")`,
  // Those whose address bounced before they confirmed expire as well.
  `DROP INDEX "status_page_subscribers_pending"`,
  `CREATE INDEX "status_page_subscribers_unconfirmed" ON "status_page_subscribers" ("created_at") WHERE "confirmed_at" IS NULL`,
  // What waits is counted every ten seconds, among everything that was sent in a month.
  `CREATE INDEX "subscriber_deliveries_pending" ON "subscriber_deliveries" ("publication_id") WHERE status = 'pending'`,
];

export class MailQuarantine1795585000000 implements MigrationInterface {
  readonly name = 'MailQuarantine1795585000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "subscriber_deliveries_pending"');
    await queryRunner.query('DROP INDEX "status_page_subscribers_unconfirmed"');
    await queryRunner.query(
      `CREATE INDEX "status_page_subscribers_pending" ON "status_page_subscribers" ("created_at") WHERE "status" = 'pending'`,
    );
    await queryRunner.query('DROP INDEX "status_page_subscribers_address"');
    // Earlier versions know no other status, and must not mail these people.
    await queryRunner.query(`DELETE FROM "status_page_subscribers" WHERE "status" IN ('bounced', 'complained')`);
    await queryRunner.query('ALTER TABLE "status_page_subscribers" DROP COLUMN "status_reason"');
    await queryRunner.query('DROP TABLE "quarantined_addresses"');
  }
}
