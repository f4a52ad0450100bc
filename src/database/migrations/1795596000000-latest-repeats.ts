import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An index in which the latest repeat of a step is found without reading the earlier ones. */
export class LatestRepeats1795596000000 implements MigrationInterface {
  readonly name = 'LatestRepeats1795596000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "notifications_alert"');
    await queryRunner.query(
      'CREATE INDEX "notifications_alert" ON "notifications" ("alert_key", "kind", "policy_id", "step", "channel_id", "repeat")',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "notifications_alert"');
    await queryRunner.query('CREATE INDEX "notifications_alert" ON "notifications" ("alert_key")');
  }
}
