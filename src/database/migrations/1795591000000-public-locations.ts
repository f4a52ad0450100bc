import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lets a status page show the state of its components at each location. */
export class PublicLocations1795591000000 implements MigrationInterface {
  readonly name = 'PublicLocations1795591000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_pages" ADD "show_locations" boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_pages" DROP COLUMN "show_locations"');
  }
}
