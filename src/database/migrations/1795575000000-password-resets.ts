import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Generated from the entity, except that the table is unlogged. Losing it in a crash only voids links that are valid for
 * an hour, and backups leave it out, so that a restore does not revive links that have been used since.
 */
const STATEMENTS = [
  `CREATE UNLOGGED TABLE "password_resets" (
      "id" uuid NOT NULL,
      "user_id" uuid NOT NULL,
      "token_hash" bytea NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "used_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "PK_4816377aa98211c1de34469e742" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX "password_resets_token" ON "password_resets" ("token_hash")`,
  `CREATE INDEX "password_resets_user" ON "password_resets" ("user_id", "created_at")`,
  `ALTER TABLE "password_resets"
  ADD CONSTRAINT "FK_f7a4c3bc48f24df007936d217be" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class PasswordResets1795575000000 implements MigrationInterface {
  readonly name = 'PasswordResets1795575000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "password_resets"');
  }
}
