import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../monitors/definition/monitor.entity.js';

/** Counts and response times of checks at slots, excluding retries, by monitor, UTC day and location. */
@Entity('daily_rollups')
export class DailyRollup {
  @PrimaryColumn('uuid')
  monitorId: string;

  @PrimaryColumn('date')
  day: string;

  @PrimaryColumn('text')
  location: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;

  @Column('integer', { default: 0 })
  checksTotal: number;

  @Column('integer', { default: 0 })
  checksFailed: number;

  /** Checks that started more than a second after their slot. */
  @Column('integer', { default: 0 })
  checksLate: number;

  /** Passing checks with a response time, and the sum of those times. */
  @Column('integer', { default: 0 })
  responseCount: number;

  @Column('double precision', { default: 0 })
  responseSumMs: number;

  /** Histogram of the response times of passing checks, in the sparse encoding of `LatencyHistogram`. */
  @Column('integer', { array: true, default: () => "'{}'" })
  histogram: number[];
}
