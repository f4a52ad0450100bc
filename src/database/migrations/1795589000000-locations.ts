import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Makes locations a resource, which begins with the one that every installation has, and lets workers report. */
export class Locations1795589000000 implements MigrationInterface {
  readonly name = 'Locations1795589000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "locations" ("id" uuid NOT NULL, "key" text NOT NULL, "name" text NOT NULL, "country" text,
         "latitude" double precision, "longitude" double precision, "enabled" boolean NOT NULL DEFAULT true,
         "canary_targets" text array NOT NULL DEFAULT '{}', "degraded_after_ms" integer,
         "offline_since" TIMESTAMP(3) WITH TIME ZONE, "voteless_since" TIMESTAMP(3) WITH TIME ZONE,
         "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
         "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
         CONSTRAINT "PK_locations" PRIMARY KEY ("id"), CONSTRAINT "locations_key" UNIQUE ("key"))`,
    );
    await queryRunner.query(
      `INSERT INTO "locations" ("id", "key", "name") VALUES (gen_random_uuid(), 'default', 'Default')`,
    );
    await queryRunner.query('ALTER TABLE "processes" ADD "worker" jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "processes" DROP COLUMN "worker"');
    await queryRunner.query('DROP TABLE "locations"');
  }
}
