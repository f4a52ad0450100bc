import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { type FailedAssertion } from '../../domain/check-result.js';
import { Team } from '../teams/team.entity.js';

/** The cause of a detected incident, stored with it because checks are deleted long before incidents. */
export interface IncidentCause {
  errorCode: string | null;
  message: string | null;
  /** Absent in incidents of earlier versions. */
  statusCode?: number | null;
  firstFailedCheckId: string | null;
  /** Null while the incident is open. */
  lastFailedCheckId: string | null;
  failedAssertions: FailedAssertion[];
}

/**
 * An incident. Detected incidents follow from transitions and maintenance; manual ones are written by callers. A drill
 * is started by a caller and ends by itself; only notifications follow from it.
 */
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

  /** Increases only with writes by callers. */
  @Column('integer', { default: 1 })
  revision: number;

  @Column('text')
  kind: string;

  @Column('text')
  title: string;

  /** Whether a caller has set the title; only then do status pages show it. */
  @Column('boolean', { default: false })
  ownTitle: boolean;

  @Column('text')
  impact: string;

  @Column('uuid', { nullable: true })
  parentIncidentId: string | null;

  /** Deferred, because a restore may insert a child before its parent. */
  @ManyToOne(() => Incident, { onDelete: 'SET NULL', deferrable: 'INITIALLY DEFERRED' })
  @JoinColumn({ name: 'parent_incident_id' })
  parent?: Incident;

  @Column({ type: 'timestamptz', precision: 3 })
  startedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resolvedAt: Date | null;

  /** When the incident resolves without a further result: the end of the calm period of a flapping monitor, or of a drill. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  settlesAt: Date | null;

  /** Number of confirmed outages; 0 for a manual incident and a drill. */
  @Column('integer', { default: 0 })
  outageCount: number;

  @Column('jsonb', { nullable: true })
  cause: IncidentCause | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  acknowledgedAt: Date | null;

  @Column('text', { nullable: true })
  acknowledgedBy: string | null;

  /** When the acknowledgement expires; null for never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  acknowledgedUntil: Date | null;

  @Column('text', { nullable: true })
  acknowledgeNote: string | null;

  /** When somebody was first notified; from then on, the incident is not deleted even if it is withdrawn. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  notifiedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
