import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../monitors/definition/monitor.entity.js';

/** The registration of the domain of a monitor, as a check read it last. */
@Entity('domain_registrations')
@Index('domain_registrations_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('domain_registrations_domain', ['teamId', 'domain'])
export class DomainRegistration {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'PK_domain_registrations' })
  monitorId: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id', foreignKeyConstraintName: 'FK_domain_registrations_monitor' })
  monitor?: Monitor;

  @Column('uuid')
  teamId: string;

  @Column('text')
  domain: string;

  /** `null` if the registry does not reveal it. */
  @Column('text', { nullable: true })
  registrar: string | null;

  /** `null` if the registry does not reveal it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** The start of the check that read it. */
  @Column({ type: 'timestamptz', precision: 3 })
  readAt: Date;

  /** The shortest threshold of which an event was recorded, for any monitor of the team; `null` if there was none. */
  @Column('integer', { nullable: true })
  raisedDays: number | null;

  /** When the next event may be due; `null` if none is. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;
}
