import { Injectable } from '@nestjs/common';

/** A status that a notification has reached. */
export interface NotificationOutcome {
  /** Type of its channel; null if it is for no channel, or for one that no longer exists. */
  type: string | null;
  status: 'sent' | 'failed' | 'held' | 'suppressed';
  /** Only if it was sent: the time since it was due, in milliseconds. */
  latencyMs?: number;
}

/** Passes what becomes of notifications in this process to other modules, once it is stored. */
@Injectable()
export class NotificationOutcomesService {
  private readonly observers: ((outcomes: readonly NotificationOutcome[]) => void)[] = [];

  /** Registers a callback. It must be fast and must not throw. */
  onOutcomes(observer: (outcomes: readonly NotificationOutcome[]) => void): void {
    this.observers.push(observer);
  }

  report(outcomes: readonly NotificationOutcome[]): void {
    for (const observer of this.observers) observer(outcomes);
  }
}
