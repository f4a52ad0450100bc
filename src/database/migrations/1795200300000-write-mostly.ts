import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Lets the query that runs every second avoid reading all monitors, and leaves room on each page for the next version
 * of rows that are updated with each check. Otherwise every version is also written to the index.
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
