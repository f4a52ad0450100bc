import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
export class CustomDomain1795560000000 implements MigrationInterface {
  readonly name = 'CustomDomain1795560000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_pages" ADD "custom_domain" text');
    await queryRunner.query(
      'ALTER TABLE "status_pages" ADD CONSTRAINT "status_pages_custom_domain" UNIQUE ("custom_domain")',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_pages" DROP CONSTRAINT "status_pages_custom_domain"');
    await queryRunner.query('ALTER TABLE "status_pages" DROP COLUMN "custom_domain"');
  }
}
