import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Team } from '../../teams/team.entity.js';

/** A key with which jobs report to any heartbeat monitor of a team, named by the monitor's own key. */
@Entity('ping_keys')
@Index('ping_keys_team_created', ['teamId', 'createdAt', 'id'])
export class PingKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'PK_ping_keys' })
  id: string;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'FK_ping_keys_team' })
  team?: Team;

  @Column('text')
  name: string;

  /** The start of the key, for display. */
  @Column('text')
  prefix: string;

  /** The keyed hash of the key, by which it is found. */
  @Index('ping_keys_mac', { unique: true })
  @Column('bytea')
  mac: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column('text')
  createdBy: string;

  /** Who was shown the key; null if it was written by a version of the service that did not record this. */
  @Column('text', { nullable: true })
  shownTo: string | null;
}
