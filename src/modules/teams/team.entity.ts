import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('teams')
export class Team {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
