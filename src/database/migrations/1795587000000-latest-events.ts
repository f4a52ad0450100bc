import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. Finds the latest events of a resource, and the few that matter for long, among many. */
export class LatestEvents1795587000000 implements MigrationInterface {
  readonly name = 'LatestEvents1795587000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX "events_latest" ON "events" ("team_id", "resource_id", "recorded_at")');
    await queryRunner.query(
      `CREATE INDEX "events_rare" ON "events" ("team_id", "resource_id")
         WHERE NOT (type IN ('monitor.up', 'monitor.down', 'monitor.degraded', 'monitor.unknown') OR (type = 'incident.updated' AND actor_type = 'system'))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "events_rare"');
    await queryRunner.query('DROP INDEX "events_latest"');
  }
}
