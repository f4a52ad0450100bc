import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions } from '../../database/tx.js';
import { type PartDto, type ReadyDto } from './dto/health.dto.js';

const PATIENCE_MS = 2_000;

const statusOf = (isFine: boolean): PartDto['status'] => (isFine ? 'ok' : 'failing');

/** Whether this process can do its work. */
@Injectable()
export class HealthService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** Answers within about 2 s, whatever hangs. */
  async ready(): Promise<ReadyDto> {
    const database = statusOf(await this.databaseAnswers());
    const writes = statusOf(database === 'ok' && !this.transactions.areRefused);
    const parts = [
      { name: 'database', status: database },
      { name: 'writes', status: writes },
    ];
    return { status: statusOf(parts.every(({ status }) => status === 'ok')), parts };
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
