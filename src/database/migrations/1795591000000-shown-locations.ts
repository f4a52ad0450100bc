import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lets a status page show the state of its components at each location, and finds transitions by location. */
export class ShownLocations1795591000000 implements MigrationInterface {
  readonly name = 'ShownLocations1795591000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_pages" ADD "show_locations" boolean NOT NULL DEFAULT false');
    // Without it, the last transition of a steady location is searched among all of those of the others.
    await queryRunner.query('CREATE INDEX "transitions_location_at" ON "transitions" ("monitor_id", "location", "at")');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "transitions_location_at"');
    await queryRunner.query('ALTER TABLE "status_pages" DROP COLUMN "show_locations"');
  }
}
