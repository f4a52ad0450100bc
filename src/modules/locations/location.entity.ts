import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** A place from which monitors are checked. Locations belong to the installation, not to a team. */
@Entity('locations')
@Unique('locations_key', ['key'])
export class Location {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  key: string;

  @Column('text')
  name: string;

  /** ISO 3166-1 alpha-2. */
  @Column('text', { nullable: true })
  country: string | null;

  @Column('double precision', { nullable: true })
  latitude: number | null;

  @Column('double precision', { nullable: true })
  longitude: number | null;

  /** While it is not, no checks are made from it, and it counts for no monitor. */
  @Column('boolean', { default: true })
  enabled: boolean;

  /** As in the setting `CANARY_TARGETS`; empty if that of the workers applies. */
  @Column('text', { array: true, default: () => "'{}'" })
  canaryTargets: string[];

  @Column('integer', { nullable: true })
  degradedAfterMs: number | null;

  /** Since when no worker there responds; `null` while one does. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  offlineSince: Date | null;

  /** Since when its results do not count, because they contradict those of other locations; `null` while they do. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  votelessSince: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
