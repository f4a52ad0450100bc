import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Generated from the entities. */
export class Certificates1795579000000 implements MigrationInterface {
  readonly name = 'Certificates1795579000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "certificates" (
          "team_id" uuid NOT NULL,
          "fingerprint" text NOT NULL,
          "subject" text NOT NULL,
          "issuer" text NOT NULL,
          "valid_from" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
          "valid_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
          "raised_days" integer,
          "due_at" TIMESTAMP(3) WITH TIME ZONE,
          CONSTRAINT "PK_6a7afaa5dd01c2d47e7b8efcffd" PRIMARY KEY ("team_id", "fingerprint")
      )`,
    );
    await queryRunner.query('CREATE INDEX "certificates_expiry" ON "certificates" ("valid_until")');
    await queryRunner.query('CREATE INDEX "certificates_due" ON "certificates" ("due_at") WHERE due_at IS NOT NULL');
    await queryRunner.query(
      `CREATE TABLE "monitor_certificates" (
          "monitor_id" uuid NOT NULL,
          "team_id" uuid NOT NULL,
          "fingerprint" text NOT NULL,
          "read_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
          CONSTRAINT "PK_6e70b91b5b1e5c6a6413eac2d85" PRIMARY KEY ("monitor_id")
      )`,
    );
    await queryRunner.query(
      'CREATE INDEX "monitor_certificates_certificate" ON "monitor_certificates" ("team_id", "fingerprint")',
    );
    await queryRunner.query(
      `ALTER TABLE "certificates" ADD CONSTRAINT "FK_74f793aec1816e366ff482d3d6b" FOREIGN KEY ("team_id")
         REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "monitor_certificates" ADD CONSTRAINT "FK_6e70b91b5b1e5c6a6413eac2d85" FOREIGN KEY ("monitor_id")
         REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "monitor_certificates"');
    await queryRunner.query('DROP TABLE "certificates"');
  }
}
