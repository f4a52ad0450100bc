import { type MigrationInterface, type QueryRunner } from 'typeorm';

const STATEMENTS = [
  `ALTER TABLE "incidents" ADD "acknowledged_until" TIMESTAMP(3) WITH TIME ZONE`,
  // Until now, every acknowledgement stopped the steps for an hour.
  `UPDATE "incidents" SET "acknowledged_until" = "acknowledged_at" + interval '1 hour' WHERE "acknowledged_at" IS NOT NULL`,
  `ALTER TABLE "notifications" ADD "storm_key" text`,
  `ALTER TABLE "notifications" ADD "refresh_at" TIMESTAMP(3) WITH TIME ZONE`,
  `ALTER TABLE "notification_channel_claims" ADD "storm" jsonb`,
  `CREATE INDEX "notifications_storm" ON "notifications" ("channel_id", "storm_key") WHERE "storm_key" IS NOT NULL`,
  `CREATE INDEX "notifications_refresh" ON "notifications" ("channel_id", "refresh_at") WHERE "refresh_at" IS NOT NULL`,
  `CREATE INDEX "notifications_message" ON "notifications" ("message_id") WHERE "message_id" IS NOT NULL`,
];

export class AcknowledgementsAndStorms1795574000000 implements MigrationInterface {
  readonly name = 'AcknowledgementsAndStorms1795574000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of ['message', 'refresh', 'storm']) await queryRunner.query(`DROP INDEX "notifications_${name}"`);
    await queryRunner.query('ALTER TABLE "notification_channel_claims" DROP COLUMN "storm"');
    await queryRunner.query('ALTER TABLE "notifications" DROP COLUMN "refresh_at"');
    await queryRunner.query('ALTER TABLE "notifications" DROP COLUMN "storm_key"');
    await queryRunner.query('ALTER TABLE "incidents" DROP COLUMN "acknowledged_until"');
  }
}
