import { Injectable } from '@nestjs/common';

/** What became of something that a subscriber was to be sent. */
export interface SubscriberOutcome {
  /** What it was about; `subscription` for letters about a subscription itself. */
  type: 'incident' | 'maintenance' | 'subscription';
  status: 'sent' | 'failed';
  /** Only if it was sent: the time since its publication, or since the letter was asked for, in milliseconds. */
  latencyMs?: number;
}

/** Passes what becomes of mails to subscribers in this process to other modules, once it is stored. */
@Injectable()
export class SubscriberOutcomes {
  private readonly observers: ((outcome: SubscriberOutcome) => void)[] = [];

  /** Registers a callback. It must be fast and must not throw. */
  onOutcome(observer: (outcome: SubscriberOutcome) => void): void {
    this.observers.push(observer);
  }

  report(outcomes: readonly SubscriberOutcome[]): void {
    for (const outcome of outcomes) for (const observer of this.observers) observer(outcome);
  }
}
