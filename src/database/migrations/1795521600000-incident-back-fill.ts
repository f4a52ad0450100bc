import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Lists the monitors with an outage that no incident covers, because it ended before incidents were recorded. The
 * service creates those incidents by its own rules and removes the monitors from the list.
 */
export class IncidentBackFill1795521600000 implements MigrationInterface {
  readonly name = 'IncidentBackFill1795521600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "incident_back_fills" (
      "monitor_id" uuid NOT NULL,
      CONSTRAINT "PK_db58b06ccf24f244d98bbb3d440" PRIMARY KEY ("monitor_id")
    )`);
    await queryRunner.query(`ALTER TABLE "incident_back_fills"
      ADD CONSTRAINT "FK_db58b06ccf24f244d98bbb3d440" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    await queryRunner.query(`INSERT INTO "incident_back_fills" ("monitor_id")
      SELECT DISTINCT t.monitor_id FROM transitions t WHERE t.to_status = 'down' AND NOT EXISTS (
        SELECT FROM incident_monitors im JOIN incidents i ON i.id = im.incident_id
        WHERE im.monitor_id = t.monitor_id AND i.kind = 'detected'
          AND i.started_at <= t.at AND (i.resolved_at IS NULL OR i.resolved_at >= t.at))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "incident_back_fills"');
  }
}
