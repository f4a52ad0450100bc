import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Generated from the entities, except that sessions are unlogged. Losing them in a crash only signs people out, and
 * backups leave them out, so that a restore does not revive sessions that have ended since.
 */
const STATEMENTS = [
  `CREATE TABLE "users" (
      "id" uuid NOT NULL,
      "email" text NOT NULL,
      "name" text NOT NULL,
      "password_hash" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_a3ffb1c0c8416b9fc6f907b7433" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX "users_email" ON "users" ("email")`,
  `CREATE TABLE "members" (
      "team_id" uuid NOT NULL,
      "user_id" uuid NOT NULL,
      "role" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_71d98e14fcf19b8adf090185a34" PRIMARY KEY ("team_id", "user_id")
  )`,
  `CREATE INDEX "members_user" ON "members" ("user_id")`,
  `CREATE UNLOGGED TABLE "sessions" (
      "id" uuid NOT NULL,
      "token_hash" bytea NOT NULL,
      "user_id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "last_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "user_agent" text,
      CONSTRAINT "PK_3238ef96f18b355b671619111bc" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX "sessions_token" ON "sessions" ("token_hash")`,
  `CREATE INDEX "sessions_user" ON "sessions" ("user_id")`,
  `CREATE TABLE "invitations" (
      "id" uuid NOT NULL,
      "team_id" uuid NOT NULL,
      "role" text NOT NULL,
      "email" text,
      "token_hash" bytea NOT NULL,
      "created_by" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "accepted_at" TIMESTAMP(3) WITH TIME ZONE,
      "revoked_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "PK_5dec98cfdfd562e4ad3648bbb07" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX "invitations_token" ON "invitations" ("token_hash")`,
  `CREATE INDEX "invitations_team" ON "invitations" ("team_id", "created_at", "id")`,
  `ALTER TABLE "instance" ADD "setup_token_hash" bytea`,
  `ALTER TABLE "members"
  ADD CONSTRAINT "FK_eee0b30f2ccac9355b8c28f7391" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "members"
  ADD CONSTRAINT "FK_da404b5fd9c390e25338996e2d1" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sessions"
  ADD CONSTRAINT "FK_3c9f8d2691af4d29df40e82454b" FOREIGN KEY ("team_id", "user_id") REFERENCES "members"("team_id","user_id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "invitations"
  ADD CONSTRAINT "FK_67a78e8571040a0deb60ee6c319" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class People1795300000000 implements MigrationInterface {
  readonly name = 'People1795300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['sessions', 'invitations', 'members', 'users']) {
      await queryRunner.query(`DROP TABLE "${table}"`);
    }
    await queryRunner.query('ALTER TABLE "instance" DROP COLUMN "setup_token_hash"');
  }
}
