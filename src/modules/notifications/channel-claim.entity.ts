import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { type StormState } from '../../domain/notification-plan/storm-alert.js';
import { Team } from '../teams/team.entity.js';

/** The right to send through a channel, held by one process at a time, and what the channel waits for. */
@Entity('notification_channel_claims')
export class ChannelClaim {
  @PrimaryColumn('uuid')
  channelId: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  @Column('uuid', { nullable: true })
  claimedBy: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimedUntil: Date | null;

  /** No attempt is made before this time, because the last one failed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  blockedUntil: Date | null;

  /** Notifications are collected until this time, because a message was sent shortly before. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  collectsUntil: Date | null;

  /** Since when every attempt has failed; null if the last one succeeded. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failingSince: Date | null;

  /** When the last three failed attempts were made, the latest first; none from before the last one that succeeded. */
  @Column({ type: 'timestamptz', array: true, default: '{}' })
  failures: Date[];

  /** What a channel for machines has sent, as far as the limit of alerts depends on it. */
  @Column('jsonb', { nullable: true })
  storm: StormState | null;
}
