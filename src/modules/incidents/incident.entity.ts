import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { type FailedAssertion } from '../../domain/check-result.js';
import { Team } from '../teams/team.entity.js';

/** Why a detected incident began, kept beside it: checks are dropped long before incidents. */
export interface IncidentCause {
  errorCode: string | null;
  message: string | null;
  firstFailedCheckId: string | null;
  /** Known once it is resolved. */
  lastFailedCheckId: string | null;
  failedAssertions: FailedAssertion[];
}

/** An incident: detected ones follow from transitions and maintenance, manual ones are what people write. */
@Entity('incidents')
@Unique('incidents_team_id', ['teamId', 'id'])
@Index('incidents_team_started', ['teamId', 'startedAt', 'id'])
@Index('incidents_parent', ['parentIncidentId'])
@Index('incidents_open', { synchronize: false })
@Index('incidents_settling', { synchronize: false })
export class Incident {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id' })
  team?: Team;

  /** Rises with callers' writes alone. */
  @Column('integer', { default: 1 })
  revision: number;

  @Column('text')
  kind: string;

  @Column('text')
  title: string;

  /** Whether somebody has given a detected one its title: status pages then show that. */
  @Column('boolean', { default: false })
  ownTitle: boolean;

  @Column('text')
  impact: string;

  @Column('uuid', { nullable: true })
  parentIncidentId: string | null;

  /** Deferred: a restore may meet a child before its parent. */
  @ManyToOne(() => Incident, { onDelete: 'SET NULL', deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn({ name: 'parent_incident_id' })
  parent?: Incident;

  @Column({ type: 'timestamptz', precision: 3 })
  startedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resolvedAt: Date | null;

  /** When it is resolved by time alone: the end of the calm that a flapping monitor must have. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  settlesAt: Date | null;

  /** Confirmed outages in it; 0 of a manual one. */
  @Column('integer', { default: 0 })
  outageCount: number;

  @Column('jsonb', { nullable: true })
  cause: IncidentCause | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  acknowledgedAt: Date | null;

  @Column('text', { nullable: true })
  acknowledgedBy: string | null;

  @Column('text', { nullable: true })
  acknowledgeNote: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
