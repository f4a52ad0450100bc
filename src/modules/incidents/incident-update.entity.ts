import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Incident } from './incident.entity.js';

/** An update that was posted during or after an incident. Never changed. */
@Entity('incident_updates')
@Index('incident_updates_incident', ['incidentId', 'at', 'id'])
export class IncidentUpdate {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  incidentId: string;

  @ManyToOne(() => Incident, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'incident_id' })
  incident?: Incident;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;

  @Column('text')
  phase: string;

  @Column('text')
  text: string;

  @Column('text')
  author: string;

  /** Whether status pages show the update. */
  @Column('boolean')
  public: boolean;
}
