import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The expiry of an API key of which an event was recorded. */
export class NoticedExpiry1795597100000 implements MigrationInterface {
  readonly name = 'NoticedExpiry1795597100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "api_keys" ADD "noticed_expiry" TIMESTAMP(3) WITH TIME ZONE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "api_keys" DROP COLUMN "noticed_expiry"');
  }
}
