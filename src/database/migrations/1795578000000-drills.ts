import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
export class Drills1795578000000 implements MigrationInterface {
  readonly name = 'Drills1795578000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "notification_timers" ADD "is_drill" boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "notification_timers" DROP COLUMN "is_drill"');
  }
}
