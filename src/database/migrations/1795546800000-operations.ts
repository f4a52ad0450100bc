import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
const STATEMENTS = [
  `CREATE TABLE "operations" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "action" text NOT NULL,
      "parameters" text,
      "created_by" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "started_at" TIMESTAMP(3) WITH TIME ZONE,
      "finished_at" TIMESTAMP(3) WITH TIME ZONE,
      "claimed_by" uuid,
      "claimed_until" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "PK_7b62d84d6f9912b975987165856" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "operations_finished" ON "operations" ("finished_at")`,
  `CREATE INDEX "operations_team" ON "operations" ("team_id", "finished_at")`,
  `CREATE TABLE "operation_items" (
      "operation_id" uuid NOT NULL,
      "place" integer NOT NULL,
      "address" text NOT NULL,
      "name" text,
      "status" text,
      "error" jsonb,
      CONSTRAINT "PK_3cff1a7c91cb7240b26e922d11d" PRIMARY KEY ("operation_id", "place")
  )`,
  `ALTER TABLE "operations"
  ADD CONSTRAINT "FK_f4490f509cfccf1d0e83f6478b7" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "operation_items"
  ADD CONSTRAINT "FK_7787784224faa85571c1e59ff60" FOREIGN KEY ("operation_id") REFERENCES "operations"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class Operations1795546800000 implements MigrationInterface {
  readonly name = 'Operations1795546800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "operation_items"');
    await queryRunner.query('DROP TABLE "operations"');
  }
}
