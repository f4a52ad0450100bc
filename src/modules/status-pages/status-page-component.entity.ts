import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Monitor } from '../monitors/definition/monitor.entity.js';
import { StatusPage } from './status-page.entity.js';

/** A monitor on a status page. The composite foreign keys ensure that page and monitor belong to the same team. */
@Entity('status_page_components')
@Index('status_page_components_page', ['statusPageId', 'position'])
@Index('status_page_components_monitor', ['monitorId'])
export class StatusPageComponent {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  teamId: string;

  @Column('uuid')
  statusPageId: string;

  @ManyToOne(() => StatusPage, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'team_id', referencedColumnName: 'teamId' },
    { name: 'status_page_id', referencedColumnName: 'id' },
  ])
  statusPage?: StatusPage;

  @Column('uuid')
  monitorId: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'team_id', referencedColumnName: 'teamId' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Monitor;

  @Column('integer')
  position: number;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { nullable: true })
  groupName: string | null;

  @Column('boolean')
  showUptime: boolean;
}
