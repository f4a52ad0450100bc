import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('teams')
export class Team {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  /** When an event last listed the heartbeat monitors that have never had a report; `null` if none has. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  unreportedAt: Date | null;
}
