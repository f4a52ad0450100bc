import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { canaryTargets } from '../../config/setting-values.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { managerOf, type Tx } from '../../database/tx.js';
import { DEFAULT_LOCATION, type LocationRules, NO_RULES } from '../../domain/location.js';

const REFRESH_MS = 2_000;

interface KnownLocation {
  name: string;
  enabled: boolean;
  hasWorker: boolean;
  hasVote: boolean;
  rules: LocationRules;
}

interface LocationRecord {
  key: string;
  name: string;
  enabled: boolean;
  canary_targets: string[];
  degraded_after_ms: number | null;
  has_worker: boolean;
  has_vote: boolean;
}

/**
 * The locations that exist, in memory, because every check and every validation depends on them. Changes are known
 * within two seconds.
 */
@Injectable()
export class KnownLocationsService implements OnModuleInit {
  private readonly logger = new Logger(KnownLocationsService.name);
  /** At first, what every installation has. */
  private known: ReadonlyMap<string, KnownLocation> = new Map([
    [DEFAULT_LOCATION, { name: DEFAULT_LOCATION, enabled: true, hasWorker: true, hasVote: true, rules: NO_RULES }],
  ]);

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    await this.read();
  }

  /** The keys of all locations, in alphabetical order. */
  get keys(): readonly string[] {
    return [...this.known.keys()];
  }

  /** The keys of the locations that make checks, in alphabetical order. */
  get enabledKeys(): readonly string[] {
    return this.keys.filter((key) => !this.isDisabled(key));
  }

  /** The keys of all locations with their names, in the order of the keys. */
  get names(): { key: string; name: string }[] {
    return [...this.known].map(([key, { name }]) => ({ key, name }));
  }

  /** Returns the name of a location, which is its key if it no longer exists. */
  nameOf(key: string): string {
    return this.known.get(key)?.name ?? key;
  }

  /** Returns whether no checks are made from a location, because the operator has disabled it. */
  isDisabled(key: string): boolean {
    return this.known.get(key)?.enabled === false;
  }

  /** Returns whether no worker at a location responds, so that checks wait there. */
  isOffline(key: string): boolean {
    return this.known.get(key)?.hasWorker === false;
  }

  /** Returns whether the results of a location count: it is neither disabled nor at odds with other locations. */
  counts(key: string): boolean {
    const known = this.known.get(key);
    return known === undefined || (known.enabled && known.hasVote);
  }

  /** Returns what checks at a location depend on. */
  rulesOf(key: string): LocationRules {
    return this.known.get(key)?.rules ?? NO_RULES;
  }

  /** Returns those of these locations that do not exist, and keeps the others from being removed until `tx` ends. */
  async missingIn(tx: Tx, keys: readonly string[]): Promise<string[]> {
    const rows: { key: string }[] = await managerOf(tx).query(
      'SELECT key FROM locations WHERE key = ANY($1) ORDER BY key FOR KEY SHARE',
      [keys],
    );
    const found = new Set(rows.map(({ key }) => key));
    return keys.filter((key) => !found.has(key));
  }

  @Interval(REFRESH_MS)
  async refresh(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not read the locations', error);
    }
  }

  private async read(): Promise<void> {
    const rows: LocationRecord[] = await this.dataSource.query(
      `SELECT key, name, enabled, canary_targets, degraded_after_ms, offline_since IS NULL AS has_worker,
         voteless_since IS NULL AS has_vote
       FROM locations ORDER BY key`,
    );
    this.known = new Map(
      rows.map((row) => [
        row.key,
        {
          name: row.name,
          enabled: row.enabled,
          hasWorker: row.has_worker,
          hasVote: row.has_vote,
          rules: { canaryTargets: canaryTargets(row.canary_targets.join(',')), degradedAfterMs: row.degraded_after_ms },
        },
      ]),
    );
  }
}
