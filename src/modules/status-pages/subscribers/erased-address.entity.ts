import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { StatusPage } from '../status-page.entity.js';

/** What remains of a subscriber who left or was removed, so that no import subscribes the address again. */
@Entity('erased_subscribers')
export class ErasedAddress {
  @PrimaryColumn('uuid')
  statusPageId: string;

  /** HMAC of the address under `SECRET_KEY`. */
  @PrimaryColumn('bytea')
  addressHash: Buffer;

  @Column('uuid')
  teamId: string;

  @ManyToOne(() => StatusPage, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'team_id', referencedColumnName: 'teamId' },
    { name: 'status_page_id', referencedColumnName: 'id' },
  ])
  statusPage?: StatusPage;

  @Column({ type: 'timestamptz', precision: 3 })
  erasedAt: Date;
}
