import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';

/** The database connections of this process, and the number of requests that wait for one. */
export interface PoolFigures {
  most: number;
  idle: number;
  busy: number;
  waiting: number;
}

export function poolFigures(dataSource: DataSource): PoolFigures {
  const { master } = dataSource.driver as unknown as { master: Pool };
  const { totalCount, idleCount, waitingCount, options } = master;
  return { most: options.max, idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount };
}
