import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Registrations of domains, and the daily notice of heartbeat monitors without a report. */
export class DomainsAndUnreported1795594000000 implements MigrationInterface {
  readonly name = 'DomainsAndUnreported1795594000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "domain_registrations" (
         "monitor_id" uuid NOT NULL,
         "team_id" uuid NOT NULL,
         "domain" text NOT NULL,
         "registrar" text,
         "expires_at" TIMESTAMP(3) WITH TIME ZONE,
         "read_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
         "raised_days" integer,
         "due_at" TIMESTAMP(3) WITH TIME ZONE,
         CONSTRAINT "PK_domain_registrations" PRIMARY KEY ("monitor_id"),
         CONSTRAINT "FK_domain_registrations_monitor" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id")
           ON DELETE CASCADE ON UPDATE NO ACTION
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX "domain_registrations_due" ON "domain_registrations" ("due_at") WHERE due_at IS NOT NULL',
    );
    await queryRunner.query(
      'CREATE INDEX "domain_registrations_domain" ON "domain_registrations" ("team_id", "domain")',
    );
    await queryRunner.query('ALTER TABLE "teams" ADD "unreported_at" TIMESTAMP(3) WITH TIME ZONE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "teams" DROP COLUMN "unreported_at"');
    await queryRunner.query('DROP TABLE "domain_registrations"');
  }
}
