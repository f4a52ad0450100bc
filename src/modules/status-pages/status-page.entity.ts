import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Team } from '../teams/team.entity.js';

@Entity('status_pages')
@Unique('status_pages_team_id', ['teamId', 'id'])
@Unique('status_pages_team_key', ['teamId', 'key'])
@Unique('status_pages_slug', ['slug'])
@Unique('status_pages_custom_domain', ['customDomain'])
@Index('status_pages_announcing', { synchronize: false })
@Index('status_pages_team_created', ['teamId', 'createdAt', 'id'])
export class StatusPage {
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

  @Column('text')
  slug: string;

  @Column('text', { nullable: true })
  customDomain: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean')
  published: boolean;

  @Column('text')
  accessType: 'public' | 'password';

  @Column('text', { nullable: true })
  passwordHash: string | null;

  @Column('text')
  timezone: string;

  @Column('integer')
  historyDays: number;

  @Column('text')
  theme: string;

  @Column('text', { nullable: true })
  accentColor: string | null;

  @Column('text', { nullable: true })
  logoUrl: string | null;

  @Column('text', { nullable: true })
  homepageUrl: string | null;

  @Column('boolean', { default: false })
  announceDetected: boolean;

  @Column('integer', { default: 300 })
  announceAfterSeconds: number;

  @Column('boolean', { default: false })
  showLocations: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
