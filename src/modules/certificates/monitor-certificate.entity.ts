import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../monitors/definition/monitor.entity.js';

/** The certificate that a monitor saw last. */
@Entity('monitor_certificates')
@Index('monitor_certificates_certificate', ['teamId', 'fingerprint'])
export class MonitorCertificate {
  @PrimaryColumn('uuid')
  monitorId: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'monitor_id' })
  monitor?: Monitor;

  @Column('uuid')
  teamId: string;

  @Column('text')
  fingerprint: string;

  /** The start of the check that read it. */
  @Column({ type: 'timestamptz', precision: 3 })
  readAt: Date;
}
