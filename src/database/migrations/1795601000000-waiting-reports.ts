import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Stores since when each process has had reports of jobs that are not recorded yet. */
export class WaitingReports1795601000000 implements MigrationInterface {
  readonly name = 'WaitingReports1795601000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "processes" ADD "reports_since" TIMESTAMP(3) WITH TIME ZONE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "processes" DROP COLUMN "reports_since"');
  }
}
