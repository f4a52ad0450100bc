import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Null in existing rows: the thresholds of the definition continue to apply to them. */
export class CheckThresholds1795200240000 implements MigrationInterface {
  readonly name = 'CheckThresholds1795200240000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "checks" ADD "failure_threshold" smallint, ADD "recovery_threshold" smallint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "checks" DROP "failure_threshold", DROP "recovery_threshold"');
  }
}
