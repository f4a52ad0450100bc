import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../domain/durations.js';
import { type BacktestSend, figuresOf } from '../../domain/notification-plan/backtest.js';
import { type AlertFacts, type ChannelFacts } from '../../domain/notification-plan/facts.js';
import { type Forecast, forecasting } from '../../domain/notification-plan/forecast.js';
import { type PolicyRule } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { readObject, validateBody } from '../../http/body/validation.js';
import { validationFailed } from '../../http/problems/problem.js';
import { CostlyReads } from '../../http/throttle/costly-reads.js';
import { BacktestNotificationsDto, type NotificationBacktestDto } from '../notification-policies/dto/backtest.dto.js';
import {
  NotificationPoliciesService,
  type TeamChannels,
} from '../notification-policies/notification-policies.service.js';
import { PolicyRules } from '../notification-policies/policy-rules.service.js';
import { BacktestAlerts } from './backtest-alerts.service.js';

const PERIOD_MS = 90 * DAY_MS;
/** Bounds the queries of a backtest, each alert takes a few. */
const MAX_ALERTS = 1_000;
/** Bounds the CPU time of a backtest: notifications that its plans deal with, which takes some seconds. */
const MAX_WORK = 1_000_000;
/** How long a backtest uses the thread before other work gets its turn. */
const SLICE_MS = 10;

/** Computes how many notifications policies would have caused, with the planner that decides about real ones. */
@Injectable()
export class NotificationBacktests {
  constructor(
    private readonly rules: PolicyRules,
    private readonly policies: NotificationPoliciesService,
    private readonly alerts: BacktestAlerts,
    private readonly reads: CostlyReads,
  ) {}

  /** @throws 422 by pointer for an invalid policy or an unknown one, 429 while too much work of the team waits */
  async backtest(teamId: TeamId, body: unknown, nowMs = Date.now()): Promise<NotificationBacktestDto> {
    const dto = validateBody(BacktestNotificationsDto, readObject(body));
    const rules = await this.tested(teamId, dto);
    const channels = await this.policies.channels(teamId);
    return this.reads.run(teamId, () => this.run(teamId, rules, channels, dto.timezone ?? 'UTC', nowMs));
  }

  /** Returns the policies as if they had been enabled all the time. */
  private async tested(teamId: TeamId, { policyId, policy }: BacktestNotificationsDto): Promise<PolicyRule[]> {
    if (policyId != null && policy != null) {
      const detail = 'Specify either policyId or policy.';
      throw validationFailed([{ pointer: '/policy', code: 'invalid_value', detail }]);
    }
    const enabled = async () => (await this.rules.all(teamId)).filter((one) => one.enabled);
    const rules =
      policy != null
        ? [await this.rules.unsaved(teamId, policy)]
        : policyId != null
          ? [await this.rules.stored(teamId, policyId)]
          : await enabled();
    return rules.map((rule) => ({ ...rule, enabled: true, activeSince: 0 }));
  }

  private async run(
    teamId: TeamId,
    rules: readonly PolicyRule[],
    channels: TeamChannels,
    timezone: string,
    nowMs: number,
  ): Promise<NotificationBacktestDto> {
    const past = {
      fromMs: nowMs - PERIOD_MS,
      events: [...new Set(rules.flatMap(({ on }) => on))],
      limit: MAX_ALERTS,
    };
    const recorded = await this.alerts.count(teamId, past);
    const slices = new Slices();
    const working = [...channels.values()].map(({ id, enabled }) => ({ id, enabled, failingSince: null }));
    const outcome = { tested: 0, notified: 0, isComplete: recorded <= MAX_ALERTS };
    const sends: BacktestSend[] = [];
    for await (const batch of this.alerts.read(teamId, past)) {
      for (const alert of batch) {
        const sent = await slices.run(plansOf(alert, working, rules, nowMs));
        // What is counted belongs to alerts that were followed to their end.
        if (sent === null) return resultOf({ ...outcome, isComplete: false });
        outcome.tested += 1;
        if (sent.sent.length > 0) outcome.notified += 1;
        if (!sent.isComplete) outcome.isComplete = false;
        for (const { channelId, dueAt } of sent.sent) sends.push({ channelId, dueAt });
      }
    }
    return resultOf(outcome);

    function resultOf({ tested, notified, isComplete }: typeof outcome): NotificationBacktestDto {
      const { notifications, atNight, byHour, byChannel } = figuresOf(sends, timezone);
      const named = new Set(rules.flatMap(({ steps }) => steps.flatMap(({ channelIds }) => channelIds)));
      const rows = [...channels.values()].flatMap((channel) => {
        const count = byChannel.get(channel.id) ?? { notifications: 0, atNight: 0 };
        return named.has(channel.id) ? [{ channel, ...count }] : [];
      });
      return {
        from: new Date(nowMs - PERIOD_MS).toISOString(),
        to: new Date(nowMs).toISOString(),
        timezone,
        alerts: { recorded, tested, notified },
        complete: isComplete,
        notifications,
        atNight,
        byHour,
        channels: rows.sort((a, b) => b.notifications - a.notifications),
      };
    }
  }
}

function plansOf(
  alert: AlertFacts,
  channels: readonly ChannelFacts[],
  rules: readonly PolicyRule[],
  untilMs: number,
): Generator<number, Forecast> {
  return forecasting({ alert, channels, recorded: [] }, rules, untilMs);
}

/** Runs long computations in slices, up to a total amount of work. */
class Slices {
  private work = 0;

  /** Runs a computation, whose steps yield the work that they took. Returns its result; null if it was too much. */
  async run<T>(steps: Generator<number, T>): Promise<T | null> {
    let startMs = performance.now();
    while (this.work < MAX_WORK) {
      const { done, value } = steps.next();
      if (done) return value;
      this.work += value;
      if (performance.now() - startMs < SLICE_MS) continue;
      await nextTurn();
      startMs = performance.now();
    }
    return null;
  }
}
