import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
export class AccentColour1795300420000 implements MigrationInterface {
  readonly name = 'AccentColour1795300420000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_pages" ADD "accent_color" text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_pages" DROP COLUMN "accent_color"');
  }
}
