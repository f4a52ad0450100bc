import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
export class ChannelFailures1795595000000 implements MigrationInterface {
  readonly name = 'ChannelFailures1795595000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "notifications" ADD "channel_failed_at" TIMESTAMP(3) WITH TIME ZONE');
    await queryRunner.query(
      `ALTER TABLE "notification_channel_claims" ADD "failures" TIMESTAMP WITH TIME ZONE array NOT NULL DEFAULT '{}'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "notification_channel_claims" DROP COLUMN "failures"');
    await queryRunner.query('ALTER TABLE "notifications" DROP COLUMN "channel_failed_at"');
  }
}
