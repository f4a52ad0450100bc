import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SlotClockService } from '../checker/slot-clock.service.js';
import { MAX_FAILURES } from './planner.service.js';

/** Notifications that are due and neither sent nor given up. */
export interface PendingFigures {
  pending: number;
  /** How long the oldest one has been due, in milliseconds; 0 if there is none. */
  oldestMs: number;
}

/** The work that is left, of all processes together. */
export interface NotificationBacklog {
  /** At channels through which the latest attempt succeeded, or none was made yet. */
  working: PendingFigures;
  /** At channels through which the latest attempt failed. */
  failing: PendingFigures;
  /** Events whose notifications have not been planned yet. */
  unplanned: PendingFigures;
  /** Events that are set aside, because planning their notifications failed repeatedly. */
  setAside: number;
  /** Enabled channels that fail, by type. */
  failingChannels: ReadonlyMap<string, number>;
}

/** Rows that are counted of each channel, and of the events. */
const MAX_COUNTED = 1_000;
const MAX_EVENTS = 10_000;

/** Reads how much work is left. Reads at most 1,000 notifications per channel, and 10,000 events. */
@Injectable()
export class NotificationBacklogService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: SlotClockService,
  ) {}

  async read(): Promise<NotificationBacklog> {
    const nowMs = this.clock.now();
    const [queues, events, channels] = await Promise.all([this.queues(), this.events(), this.failingChannels()]);
    const pending = (failing: boolean): PendingFigures => {
      const row = queues.find((one) => one.failing === failing);
      return { pending: row?.pending ?? 0, oldestMs: ageOf(row?.oldest ?? null, nowMs) };
    };
    return {
      working: pending(false),
      failing: pending(true),
      unplanned: { pending: events.waiting, oldestMs: ageOf(events.oldest, nowMs) },
      setAside: events.set_aside,
      failingChannels: new Map(channels.map(({ type, failing }) => [type, failing])),
    };
  }

  /** The limit applies to each channel, so that the backlog of one does not hide that of another. */
  private queues(): Promise<{ failing: boolean; pending: number; oldest: Date }[]> {
    return this.dataSource.query(
      `SELECT c.failing_since IS NOT NULL AS failing, count(*)::int AS pending, min(n.due_at) AS oldest
       FROM notification_channel_claims c CROSS JOIN LATERAL (
         SELECT due_at FROM notifications WHERE channel_id = c.channel_id AND next_attempt_at IS NOT NULL
         ORDER BY next_attempt_at LIMIT ${MAX_COUNTED}) AS n
       GROUP BY 1`,
    );
  }

  private async events(): Promise<{ waiting: number; set_aside: number; oldest: Date | null }> {
    const [row]: { waiting: number; set_aside: number; oldest: Date | null }[] = await this.dataSource.query(
      `WITH marked AS MATERIALIZED (SELECT event_id, sequence, failures FROM unplanned_events LIMIT ${MAX_EVENTS})
       SELECT count(*) FILTER (WHERE failures < ${MAX_FAILURES})::int AS waiting,
         count(*) FILTER (WHERE failures >= ${MAX_FAILURES})::int AS set_aside,
         (SELECT e.recorded_at FROM marked m JOIN events e ON e.id = m.event_id
          WHERE m.failures < ${MAX_FAILURES} ORDER BY m.sequence LIMIT 1) AS oldest
       FROM marked`,
    );
    return row!;
  }

  private failingChannels(): Promise<{ type: string; failing: number }[]> {
    return this.dataSource.query(
      `SELECT type, count(*)::int AS failing FROM notification_channels
       WHERE failing_since IS NOT NULL AND enabled GROUP BY type`,
    );
  }
}

function ageOf(at: Date | null, nowMs: number): number {
  return at === null ? 0 : Math.max(0, nowMs - at.getTime());
}
