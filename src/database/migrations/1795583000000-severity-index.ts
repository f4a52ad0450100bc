import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The worst monitors of a team come first in its lists, which read only the rows that they show. */
export class SeverityIndex1795583000000 implements MigrationInterface {
  readonly name = 'SeverityIndex1795583000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "monitor_states_severity" ON "monitor_states" ("team_id", (
         CASE
           WHEN status = 'down' THEN 0
           WHEN verifying IN ('down', 'degraded') AND status IN ('pending', 'up', 'degraded') THEN 1
           WHEN status = 'degraded' THEN 2
           WHEN status = 'unknown' THEN 3
           WHEN status = 'pending' THEN 4
           WHEN status = 'maintenance' THEN 5
           WHEN status = 'paused' THEN 6
           ELSE 7
         END
       ), "status_since", "monitor_id")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "monitor_states_severity"');
  }
}
