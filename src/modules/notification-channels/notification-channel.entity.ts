import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Team } from '../teams/team.entity.js';

/** Where notifications are sent, and whether that works. */
@Entity('notification_channels')
@Unique('notification_channels_team_key', ['teamId', 'key'])
@Unique('notification_channels_team_id', ['teamId', 'id'])
@Index('notification_channels_team_created', ['teamId', 'createdAt', 'id'])
export class NotificationChannel {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  @Column('integer', { default: 1 })
  revision: number;

  @Column('text', { nullable: true })
  key: string | null;

  @Column('text')
  name: string;

  @Column('text')
  type: string;

  @Column('boolean')
  enabled: boolean;

  /** As defined by the class of the type. Secrets are sealed. */
  @Column('jsonb')
  settings: Record<string, unknown>;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSentAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastFailedAt: Date | null;

  /** Why the last attempt failed; `null` if it did not. */
  @Column('text', { nullable: true })
  lastError: string | null;

  /** When the first attempt failed of those since the last success. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failingSince: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** When a caller last changed it. Sending does not. */
  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
