import { Injectable } from '@nestjs/common';
import { type Tx } from '../../database/tx.js';
import { besideDue, dueBefore, dueSlots, type ScheduleInput } from '../../domain/schedule-fidelity.js';
import { daysBetween } from '../../domain/utc-day.js';
import { ChecksService } from '../checks/checks.service.js';
import { type Absence, type MonitorHistory } from '../monitors/history/history.service.js';
import { ScheduleHistoryService } from '../monitors/schedule/schedule-history.service.js';

/** The slots of one monitor on one UTC day. */
export interface DaySlots {
  /** Number of slots for which a check must have been recorded by now. */
  due: number;
  /** Number of checks that are recorded for other slots. */
  beside: number;
  /** Absences of the service, limited to the part of the day in which the monitor existed. */
  absences: { from: number; to: number; reason: Absence['reason'] }[];
}

/** Determines from schedules and pauses which checks should have been made, and when the service was absent. */
@Injectable()
export class SlotsService {
  constructor(
    private readonly schedules: ScheduleHistoryService,
    private readonly checks: ChecksService,
  ) {}

  /**
   * Returns the slots by `<monitor id>/<date>` for each day of the window, which begins and ends at midnight UTC: of all
   * locations, or of one.
   */
  async of(
    tx: Tx,
    histories: ReadonlyMap<string, MonitorHistory>,
    { fromMs, toMs }: { fromMs: number; toMs: number },
    nowMs: number,
    location?: string,
  ): Promise<Map<string, DaySlots>> {
    const schedules = await this.schedules.read(tx, [...histories.keys()], location);
    const inputs = new Map<string, ScheduleInput>();
    for (const [id, { schedules: list, timeoutMs }] of schedules) {
      const { createdAtMs, spans } = histories.get(id)!;
      inputs.set(id, {
        monitorId: id,
        createdAtMs,
        schedules: list,
        paused: spans.paused,
        fromMs,
        toMs,
        dueMs: dueBefore(nowMs, timeoutMs),
      });
    }
    const spans = new Map([...inputs].map(([id, input]) => [id, besideDue(input)]));
    const beside = await this.checks.atSlotsIn(tx, spans, location);
    const days = daysBetween(fromMs, toMs);
    const slots = new Map<string, DaySlots>();
    for (const [id, input] of inputs) {
      const { createdAtMs, absences } = histories.get(id)!;
      const due = dueSlots(input);
      days.forEach((day, index) => {
        const stretch = { from: Math.max(day.fromMs, createdAtMs), to: Math.min(day.toMs, nowMs) };
        slots.set(`${id}/${day.date}`, {
          due: due[index]!,
          beside: beside.get(`${id}/${day.date}`) ?? 0,
          absences: cut(absences, stretch),
        });
      });
    }
    return slots;
  }
}

function cut(absences: readonly Absence[], stretch: { from: number; to: number }): DaySlots['absences'] {
  return absences
    .map(({ from, to, reason }) => ({
      from: Math.max(from, stretch.from),
      to: Math.min(to ?? Infinity, stretch.to),
      reason,
    }))
    .filter(({ from, to }) => from < to);
}
