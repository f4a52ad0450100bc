import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Stores where the queues of each process that shares the work are, and whether they respond to it. */
export class QueueResponses1795600500000 implements MigrationInterface {
  readonly name = 'QueueResponses1795600500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "processes" ADD "queue_responds" boolean, ADD "queue_changed_at" TIMESTAMP(3) WITH TIME ZONE, ADD "queues" text',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "processes" DROP COLUMN "queues", DROP COLUMN "queue_changed_at", DROP COLUMN "queue_responds"',
    );
  }
}
