import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The keys with which jobs report to the heartbeat monitors of a team. */
export class PingKeys1795593000000 implements MigrationInterface {
  readonly name = 'PingKeys1795593000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "ping_keys" (
         "id" uuid NOT NULL,
         "team_id" uuid NOT NULL,
         "name" text NOT NULL,
         "prefix" text NOT NULL,
         "mac" bytea NOT NULL,
         "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
         "created_by" text NOT NULL,
         CONSTRAINT "PK_ping_keys" PRIMARY KEY ("id"),
         CONSTRAINT "FK_ping_keys_team" FOREIGN KEY ("team_id") REFERENCES "teams"("id")
           ON DELETE CASCADE ON UPDATE NO ACTION
       )`,
    );
    await queryRunner.query('CREATE UNIQUE INDEX "ping_keys_mac" ON "ping_keys" ("mac")');
    await queryRunner.query('CREATE INDEX "ping_keys_team_created" ON "ping_keys" ("team_id", "created_at", "id")');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "ping_keys"');
  }
}
