import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type ReadyDto } from './dto/health.dto.js';

const PATIENCE_MS = 2_000;

/** Whether this process can do its work. */
@Injectable()
export class HealthService {
  constructor(private readonly dataSource: DataSource) {}

  /** Answers within about 2 s, whatever hangs. */
  async ready(): Promise<ReadyDto> {
    const database = (await this.databaseAnswers()) ? 'ok' : 'failing';
    return { status: database, parts: [{ name: 'database', status: database }] };
  }

  private databaseAnswers(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), PATIENCE_MS);
      this.dataSource
        .query('SELECT 1')
        .then(
          () => resolve(true),
          () => resolve(false),
        )
        .finally(() => clearTimeout(timer));
    });
  }
}
