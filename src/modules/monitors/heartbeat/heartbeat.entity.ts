import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../definition/monitor.entity.js';

/** What a monitor of type `heartbeat` expects next. */
@Entity('heartbeats')
@Index('heartbeats_token', ['tokenMac'], { unique: true })
@Index('heartbeats_deadline', ['deadlineAt'])
export class Heartbeat {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'PK_heartbeats' })
  monitorId: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id', foreignKeyConstraintName: 'FK_heartbeats_monitor' })
  monitor?: Monitor;

  /** The keyed hash of the token, by which pings are assigned. The token itself is sealed in the definition. */
  @Column('bytea')
  tokenMac: Buffer;

  /** When the next report is due, and until when it may arrive; null before the first one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deadlineAt: Date | null;

  /** The error if it does not. */
  @Column('text', { nullable: true })
  deadlineCode: string | null;

  /** When the newest run started; null if a run has ended since. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  /** The ids and starts of runs that must end within their limit, oldest first. */
  @Column('jsonb', { default: '[]' })
  openRuns: unknown[];

  /** When the newest report arrived; null if there was none. Logs do not count. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastPingAt: Date | null;
}
