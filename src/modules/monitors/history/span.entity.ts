import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Exclusion } from '../../exclusions/exclusion.entity.js';
import { MaintenanceWindow } from '../../maintenance/maintenance-window.entity.js';
import { Monitor } from '../definition/monitor.entity.js';

export const SPAN_KINDS = ['pause', 'maintenance', 'exclusion', 'absence', 'gap', 'no_vote'] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];

/**
 * A span of time that overrides the confirmed state: from `startsAt` (inclusive) to `endsAt` (exclusive; `null` if it
 * has no end yet).
 */
@Entity('spans')
@Index('spans_monitor', ['monitorId', 'startsAt'])
@Index('spans_location', { synchronize: false })
@Index('spans_exclusion', { synchronize: false })
@Index('spans_maintenance', { synchronize: false })
@Index('spans_window', { synchronize: false })
export class Span {
  @PrimaryColumn('uuid')
  id: string;

  /** `null` for an absence of the service or a lost vote, which applies to every monitor of the location and shard. */
  @Column('uuid', { nullable: true })
  monitorId: string | null;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;

  /** `null` if the span applies to all locations. */
  @Column('text', { nullable: true })
  location: string | null;

  /** The shard of an absence, of the number of shards in `shards`; `null` for all monitors of the location. */
  @Column('integer', { nullable: true })
  shard: number | null;

  @Column('integer', { nullable: true })
  shards: number | null;

  @Column('text')
  kind: SpanKind;

  /** The window of a maintenance span; `null` once the window is deleted. */
  @Column('uuid', { nullable: true })
  windowId: string | null;

  @ManyToOne(() => MaintenanceWindow, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'window_id' })
  window?: MaintenanceWindow;

  @Column({ type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;

  @Column('text', { nullable: true })
  reason: string | null;

  /** The exclusion of a span of kind `exclusion`. */
  @Column('uuid', { nullable: true })
  exclusionId: string | null;

  @ManyToOne(() => Exclusion, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'exclusion_id' })
  exclusion?: Exclusion;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
