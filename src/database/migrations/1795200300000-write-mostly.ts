import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What is looked for each second is found without reading all monitors, and rows that are written with each check have
 * room for their next version on the page where they stand: else each version is written to the index, too.
 */
export class WriteMostly1795200300000 implements MigrationInterface {
  readonly name = 'WriteMostly1795200300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX "monitors_pause_ends" ON "monitors" ("paused_until") WHERE paused_until IS NOT NULL',
    );
    await queryRunner.query('ALTER TABLE "daily_rollups" SET (fillfactor = 50)');
    await queryRunner.query('ALTER TABLE "location_states" SET (fillfactor = 50)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "location_states" SET (fillfactor = 80)');
    await queryRunner.query('ALTER TABLE "daily_rollups" RESET (fillfactor)');
    await queryRunner.query('DROP INDEX "monitors_pause_ends"');
  }
}
