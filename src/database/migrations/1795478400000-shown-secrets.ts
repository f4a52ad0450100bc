import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities, except for the update: the secret of a key was shown to its creator. */
export class ShownSecrets1795478400000 implements MigrationInterface {
  readonly name = 'ShownSecrets1795478400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "api_keys" ADD "shown_to" text');
    await queryRunner.query('ALTER TABLE "api_keys" ADD "previous_shown_to" text');
    await queryRunner.query(
      'UPDATE "api_keys" SET "shown_to" = "created_by", "previous_shown_to" = CASE WHEN "previous_prefix" IS NULL THEN NULL ELSE "created_by" END',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "api_keys" DROP COLUMN "previous_shown_to"');
    await queryRunner.query('ALTER TABLE "api_keys" DROP COLUMN "shown_to"');
  }
}
