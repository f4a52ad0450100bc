import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Stores whether the queue responds to each process that shares the work. */
export class QueueResponses1795600500000 implements MigrationInterface {
  readonly name = 'QueueResponses1795600500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "processes" ADD "queue_responds" boolean, ADD "queue_changed_at" TIMESTAMP(3) WITH TIME ZONE',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "processes" DROP COLUMN "queue_changed_at", DROP COLUMN "queue_responds"');
  }
}
