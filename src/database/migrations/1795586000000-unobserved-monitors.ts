import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. The index of states contains the few that are unknown, so that each sweep is cheap. */
export class UnobservedMonitors1795586000000 implements MigrationInterface {
  readonly name = 'UnobservedMonitors1795586000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "unobserved_monitors" (
          "group_id" uuid NOT NULL,
          "monitor_id" uuid NOT NULL,
          "team_id" uuid NOT NULL,
          "cause" text NOT NULL,
          "unobserved_since" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
          "joined_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
          "left_at" TIMESTAMP(3) WITH TIME ZONE,
          "left_how" text,
          CONSTRAINT "PK_7b6d3231e4f101132ce9cf79e3d" PRIMARY KEY ("group_id", "monitor_id")
      )`,
    );
    await queryRunner.query(
      'CREATE INDEX "unobserved_monitors_left" ON "unobserved_monitors" ("left_at") WHERE left_at IS NOT NULL',
    );
    await queryRunner.query(
      'CREATE INDEX "unobserved_monitors_open" ON "unobserved_monitors" ("team_id", "cause", "group_id") WHERE left_at IS NULL',
    );
    await queryRunner.query(
      'CREATE UNIQUE INDEX "unobserved_monitors_current" ON "unobserved_monitors" ("monitor_id") WHERE left_at IS NULL',
    );
    await queryRunner.query(
      `ALTER TABLE "unobserved_monitors" ADD CONSTRAINT "FK_006d93f7d7c9d8ce5901c683866" FOREIGN KEY ("team_id")
         REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `CREATE INDEX "monitor_states_unknown" ON "monitor_states" ("status_since") WHERE "status" = 'unknown'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "monitor_states_unknown"');
    await queryRunner.query('DROP TABLE "unobserved_monitors"');
  }
}
