import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Removes settings that have no effect without another one, because monitors with them can no longer be written. */
export class LoneSettings1795602000000 implements MigrationInterface {
  readonly name = 'LoneSettings1795602000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.remove(queryRunner, 'redis', 'username', 'password');
    await this.remove(queryRunner, 'smtp', 'to', 'from');
  }

  /** What was removed had no effect. */
  async down(): Promise<void> {}

  private async remove(queryRunner: QueryRunner, type: string, setting: string, required: string): Promise<void> {
    await queryRunner.query(
      `UPDATE monitors SET definition = jsonb_set(definition, ARRAY['settings', $2::text], 'null')
       WHERE type = $1 AND definition -> 'settings' ->> $2::text IS NOT NULL AND definition -> 'settings' ->> $3::text IS NULL`,
      [type, setting, required],
    );
  }
}
