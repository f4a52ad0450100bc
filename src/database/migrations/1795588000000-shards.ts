import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lets several processes share the monitors: absences of a shard, and the processes among which shards are divided. */
export class Shards1795588000000 implements MigrationInterface {
  readonly name = 'Shards1795588000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE FUNCTION "shard_of"(id uuid, shards integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
       RETURN ('x' || substr(id::text, 25, 4))::bit(16)::integer % shards`,
    );
    await queryRunner.query('ALTER TABLE "instance" ADD "shards" integer');
    await queryRunner.query('ALTER TABLE "spans" ADD "shard" integer, ADD "shards" integer');
    await queryRunner.query(
      `CREATE TABLE "processes" ("id" uuid NOT NULL, "roles" text array NOT NULL, "version" text NOT NULL,
         "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
         "seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
         CONSTRAINT "PK_processes" PRIMARY KEY ("id"))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "processes"');
    await queryRunner.query('ALTER TABLE "spans" DROP COLUMN "shards", DROP COLUMN "shard"');
    await queryRunner.query('ALTER TABLE "instance" DROP COLUMN "shards"');
    await queryRunner.query('DROP FUNCTION "shard_of"');
  }
}
