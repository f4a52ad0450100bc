import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Who was shown the keys that were created with an API key: so far the records named only that key, which is not enough
 * once its secret is replaced by one that is shown to somebody else. They get whoever was shown its secret last.
 */
export class SecretHolders1795597000000 implements MigrationInterface {
  readonly name = 'SecretHolders1795597000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `WITH RECURSIVE holders AS (
         SELECT id, shown_to FROM api_keys
         WHERE shown_to IS NOT NULL AND (shown_to <> created_by OR created_by NOT LIKE 'api-key:%')
         UNION ALL
         SELECT k.id, h.shown_to FROM api_keys k JOIN holders h ON k.created_by = 'api-key:' || h.id
         WHERE k.shown_to = k.created_by
       )
       UPDATE api_keys k SET shown_to = h.shown_to FROM holders h WHERE h.id = k.id AND h.shown_to <> k.shown_to`,
    );
    await queryRunner.query('ALTER TABLE "ping_keys" ADD "shown_to" text');
    await queryRunner.query(
      `UPDATE ping_keys p SET shown_to =
         coalesce((SELECT k.shown_to FROM api_keys k WHERE p.created_by = 'api-key:' || k.id), p.created_by)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "ping_keys" DROP COLUMN "shown_to"');
  }
}
