import { type MigrationInterface, type QueryRunner } from 'typeorm';

const STATEMENTS = [
  `ALTER TABLE "incidents" ADD "acknowledged_until" TIMESTAMP(3) WITH TIME ZONE`,
  // Until now, every acknowledgement stopped the steps for an hour.
  `UPDATE "incidents" SET "acknowledged_until" = "acknowledged_at" + interval '1 hour' WHERE "acknowledged_at" IS NOT NULL`,
  `CREATE INDEX "notifications_message" ON "notifications" ("message_id") WHERE "message_id" IS NOT NULL`,
];

export class AcknowledgementsAndStorms1795574000000 implements MigrationInterface {
  readonly name = 'AcknowledgementsAndStorms1795574000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "notifications_message"');
    await queryRunner.query('ALTER TABLE "incidents" DROP COLUMN "acknowledged_until"');
  }
}
