import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
export class MonitorRunbooks1795577000000 implements MigrationInterface {
  readonly name = 'MonitorRunbooks1795577000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "monitors" ADD "runbook_url" text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "monitors" DROP COLUMN "runbook_url"');
  }
}
