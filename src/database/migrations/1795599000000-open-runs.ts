import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Stores which runs of a job are open, because they may overlap. */
export class OpenRuns1795599000000 implements MigrationInterface {
  readonly name = 'OpenRuns1795599000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "heartbeats" ADD "open_runs" jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "heartbeats" DROP COLUMN "open_runs"');
  }
}
