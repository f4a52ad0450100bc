import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type NotifiedEvent } from '../../domain/notification-plan/policy.js';
import { Team } from '../teams/team.entity.js';

/** A monitor as an alert last saw it, because an alert outlives the monitor. */
export interface SeenMonitor {
  id: string;
  name: string;
  type: string;
  target: string;
  tags: string[];
}

/**
 * An alert (an incident in one episode, or another event), and when its plan is computed again: at the next step,
 * repeat, or end of whatever holds it back. One timer is enough, because a plan covers the whole alert.
 */
@Entity('notification_timers')
@Index('notification_timers_subject', ['subjectId'])
@Index('notification_timers_recorded', ['teamId', 'recordedAt'])
@Index('notification_timers_due', { synchronize: false })
@Index('notification_timers_open', { synchronize: false })
@Index('notification_timers_degraded', { synchronize: false })
export class NotificationTimer {
  @PrimaryColumn('text')
  alertKey: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** The incident, or the event of an alert without an incident. Whoever plans its alerts holds a lock on this id. */
  @Column('uuid')
  subjectId: string;

  @Column('text')
  event: NotifiedEvent;

  @Column('jsonb')
  monitors: SeenMonitor[];

  @Column({ type: 'timestamptz', precision: 3 })
  recordedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  closedAt: Date | null;

  /** Null if only new facts can change the plan. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column('integer', { default: 0 })
  failures: number;

  /** Whether the incident is a drill, whose messages never mix with those about real alerts. */
  @Column('boolean', { default: false })
  isDrill: boolean;
}
