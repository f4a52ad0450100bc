import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { type Attempt, type NotificationKind } from '../../domain/notification-plan/facts.js';
import { type PlanNote, type PlanReason } from '../../domain/notification-plan/planned.js';
import { Team } from '../teams/team.entity.js';

/** An attempt to send. It is stored before it is made, with the outcome `unknown`, and completed afterwards. */
export interface StoredAttempt {
  /** RFC 3339. */
  at: string;
  outcome: Attempt['outcome'];
  durationMs: number | null;
  statusCode: number | null;
  error: string | null;
}

export type NotificationStatus = 'pending' | 'held' | 'sent' | 'failed' | 'suppressed';

/**
 * A message to one channel about one alert: what was sent, and what was not. Refers to policies, channels, incidents
 * and monitors without foreign keys, because it outlives them.
 */
@Entity('notifications')
@Unique('notifications_key', ['key'])
@Index('notifications_team_created', ['teamId', 'createdAt', 'id'])
@Index('notifications_incident', ['teamId', 'incidentId', 'createdAt', 'id'])
@Index('notifications_alert', ['alertKey', 'kind', 'policyId', 'step', 'channelId', 'repeat'])
@Index('notifications_due', { synchronize: false })
@Index('notifications_due_order', { synchronize: false })
@Index('notifications_message', { synchronize: false })
@Index('notifications_storm', { synchronize: false })
@Index('notifications_refresh', { synchronize: false })
export class Notification {
  /** The same in each attempt, so that a receiver can drop repetitions. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** What it is about, for whom and why; see `notificationKey`. */
  @Column('text')
  key: string;

  @Column('text')
  alertKey: string;

  @Column('text')
  kind: NotificationKind;

  /** The event that opened the alert. */
  @Column('uuid')
  eventId: string;

  @Column('uuid', { nullable: true })
  incidentId: string | null;

  @Column('uuid', { array: true })
  monitorIds: string[];

  @Column('uuid', { nullable: true })
  policyId: string | null;

  @Column('integer')
  step: number;

  @Column('integer')
  repeat: number;

  /** The id of the team stands for the email of its owners. Null if nobody is notified. */
  @Column('uuid', { nullable: true })
  channelId: string | null;

  @Column('text')
  status: NotificationStatus;

  @Column('text', { nullable: true })
  reason: PlanReason | null;

  /** The key of the notification that stands for this one. */
  @Column('text', { nullable: true })
  collectedInto: string | null;

  @Column('boolean', { default: false })
  replacesTrigger: boolean;

  @Column('text', { nullable: true })
  note: PlanNote | null;

  @Column('jsonb', { default: '[]' })
  attempts: StoredAttempt[];

  /** Whether it was sent or given up, and no further attempt follows. */
  @Column('boolean', { default: false })
  settled: boolean;

  /** When its channel had failed three times since it was due, whatever was sent then, or when it was given up. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  channelFailedAt: Date | null;

  /** The id of the first notification of the message that contains this one; fixed by the first attempt. */
  @Column('uuid', { nullable: true })
  messageId: string | null;

  /** The storm alert that stands for the alert at its receiver. */
  @Column('text', { nullable: true })
  stormKey: string | null;

  /** When the open alert is sent again, to a receiver that forgets what is not repeated. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  refreshAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  /** Only while it is pending. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  giveUpAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt: Date | null;
}
