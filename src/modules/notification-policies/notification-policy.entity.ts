import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import {
  type NotifiedEvent,
  type PolicyMatch,
  type PolicyStep,
  type QuietHours,
} from '../../domain/notification-plan/policy.js';
import { Team } from '../teams/team.entity.js';

/** Who is notified of which events of which monitors. */
@Entity('notification_policies')
@Unique('notification_policies_team_key', ['teamId', 'key'])
@Unique('notification_policies_team_id', ['teamId', 'id'])
@Index('notification_policies_team_created', ['teamId', 'createdAt', 'id'])
export class NotificationPolicy {
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

  @Column('boolean')
  enabled: boolean;

  /** When the policy was created or last enabled. It does not apply to what ended before. */
  @Column({ type: 'timestamptz', precision: 3 })
  activeSince: Date;

  /** May contain monitors that have since been deleted. */
  @Column('jsonb')
  match: PolicyMatch;

  @Column('text', { array: true })
  events: NotifiedEvent[];

  /** With the ids of channels. */
  @Column('jsonb')
  steps: PolicyStep[];

  @Column('integer', { nullable: true })
  repeatEverySeconds: number | null;

  @Column('jsonb', { nullable: true })
  quietHours: QuietHours | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
