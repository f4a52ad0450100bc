import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The dependencies of monitors. An array with an index, so that deleting a monitor finds its children. */
export class MonitorParents1795200120000 implements MigrationInterface {
  readonly name = 'MonitorParents1795200120000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "monitors" ADD "parent_ids" uuid array NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`CREATE INDEX "monitors_parents" ON "monitors" USING gin ("parent_ids")`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "monitors_parents"');
    await queryRunner.query('ALTER TABLE "monitors" DROP COLUMN "parent_ids"');
  }
}
