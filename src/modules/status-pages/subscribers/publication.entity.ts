import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { type PublicationContent } from '../../../domain/publication.js';
import { StatusPage } from '../status-page.entity.js';

/** Something that the subscribers of a page are sent, as it was when it was published. */
@Entity('subscriber_publications')
@Unique('subscriber_publications_source', ['statusPageId', 'source'])
@Index('subscriber_publications_published', ['publishedAt'])
@Index('subscriber_publications_subject', { synchronize: false })
@Index('subscriber_publications_detected', { synchronize: false })
export class Publication {
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

  /** What was published: an event, or an episode of a detected incident. Makes planning it twice harmless. */
  @Column('text')
  source: string;

  @Column('jsonb')
  content: PublicationContent;

  /** The components of the page that are affected. */
  @Column('uuid', { array: true })
  componentIds: string[];

  @Column({ type: 'timestamptz', precision: 3 })
  publishedAt: Date;
}
