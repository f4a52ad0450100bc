import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores the quorum with each schedule, as far as it is known. Also limits how long states hold that were stored without
 * a limit because their location had just been disabled: to two intervals after the last result.
 */
export class FormerQuorums1795598000000 implements MigrationInterface {
  readonly name = 'FormerQuorums1795598000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "monitor_schedules" ADD "quorum" text');
    await queryRunner.query(
      `UPDATE "monitor_schedules" s SET "quorum" = m."quorum" FROM "monitors" m WHERE m."id" = s."monitor_id"`,
    );
    await queryRunner.query(
      `UPDATE "location_states" l
       SET "missing_from" = to_timestamp((last."at" + last."interval") / 1000),
           "holds_until" = to_timestamp((last."at" + 2 * last."interval") / 1000)
       FROM (SELECT "monitor_id", "location", ("fold" #>> '{last,checkedAt}')::float8 AS "at",
               ("fold" #>> '{last,intervalMs}')::float8 AS "interval"
             FROM "location_states" WHERE "holds_until" IS NULL) AS last
       WHERE l."monitor_id" = last."monitor_id" AND l."location" = last."location" AND last."interval" > 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "monitor_schedules" DROP COLUMN "quorum"');
  }
}
