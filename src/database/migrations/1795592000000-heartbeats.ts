import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What monitors of type heartbeat expect, and the reports that they received. */
export class Heartbeats1795592000000 implements MigrationInterface {
  readonly name = 'Heartbeats1795592000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "heartbeats" (
         "monitor_id" uuid NOT NULL,
         "token_mac" bytea NOT NULL,
         "due_at" TIMESTAMP(3) WITH TIME ZONE,
         "deadline_at" TIMESTAMP(3) WITH TIME ZONE,
         "deadline_code" text,
         "started_at" TIMESTAMP(3) WITH TIME ZONE,
         "last_ping_at" TIMESTAMP(3) WITH TIME ZONE,
         CONSTRAINT "PK_heartbeats" PRIMARY KEY ("monitor_id"),
         CONSTRAINT "FK_heartbeats_monitor" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id")
           ON DELETE CASCADE ON UPDATE NO ACTION
       ) WITH (fillfactor = 70)`,
    );
    await queryRunner.query('CREATE UNIQUE INDEX "heartbeats_token" ON "heartbeats" ("token_mac")');
    await queryRunner.query('CREATE INDEX "heartbeats_deadline" ON "heartbeats" ("deadline_at")');
    await queryRunner.query(
      `CREATE TABLE "pings" (
         "monitor_id" uuid NOT NULL,
         "received_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
         "attempt" integer NOT NULL,
         "kind" text NOT NULL,
         "run_id" text,
         "exit_status" smallint,
         "duration_ms" double precision,
         "method" text NOT NULL,
         "body" text,
         CONSTRAINT "PK_pings" PRIMARY KEY ("monitor_id", "received_at", "attempt")
       ) PARTITION BY RANGE ("received_at")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "pings"');
    await queryRunner.query('DROP TABLE "heartbeats"');
  }
}
