import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Updated with every request: unlogged, with room on each page for the next version of its rows. */
export class RateLimits1795188960000 implements MigrationInterface {
  readonly name = 'RateLimits1795188960000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE UNLOGGED TABLE "rate_limits" (
      "key_id" uuid NOT NULL,
      "full_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_6f41edc61c7c92a52c43fcbd4ce" PRIMARY KEY ("key_id")
    ) WITH (fillfactor = 50)`);
    await queryRunner.query(`ALTER TABLE "rate_limits"
      ADD CONSTRAINT "FK_6f41edc61c7c92a52c43fcbd4ce" FOREIGN KEY ("key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "rate_limits"');
  }
}
