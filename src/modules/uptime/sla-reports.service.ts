import { Injectable } from '@nestjs/common';
import { parseTarget, slaFigures, type SlaTimes, sumTimes, targetPercent } from '../../domain/sla.js';
import { CostlyReads } from '../../http/throttle/costly-reads.js';
import { type TeamId } from '../../http/auth/principal.js';
import { invalidQuery } from '../../http/body/validation.js';
import { MonitorSelectionService, type NamedMonitor } from '../monitors/definition/monitor-selection.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { MAX_REPORT_MONITORS, type SlaReportDto, type SlaReportQuery } from './dto/sla-report.dto.js';
import { UPTIME_METHOD } from './dto/uptime.dto.js';
import { UptimeService, windowOf } from './uptime.service.js';

const DEFAULT_DAYS = 30;
const DEFAULT_TARGET = '99.9';
/** Monitors that are computed without interruption. A small number, so that reports do not delay checks. */
const BATCH = 10;

/** Creates reports of uptime against a target. */
@Injectable()
export class SlaReportsService {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly selections: MonitorSelectionService,
    private readonly uptimes: UptimeService,
    private readonly reads: CostlyReads,
  ) {}

  /**
   * Creates a report.
   * @throws 400 for an address without a monitor, too many monitors, or an invalid window or target; 429 if too many
   * such requests of the team are waiting
   */
  report(teamId: TeamId, query: SlaReportQuery): Promise<SlaReportDto> {
    return this.reads.run(teamId, () => this.read(teamId, query));
  }

  private async read(teamId: TeamId, query: SlaReportQuery): Promise<SlaReportDto> {
    const nowMs = Date.now();
    const window = windowOf(query, nowMs, DEFAULT_DAYS);
    const target = parseTarget(query.target ?? DEFAULT_TARGET);
    if (target === null) {
      const detail = 'target must be greater than 0.';
      throw invalidQuery([{ parameter: 'target', code: 'out_of_range', detail }]);
    }
    const { raw = false } = query;
    const found = await this.find(teamId, query);
    const rows: { monitor: NamedMonitor; times: SlaTimes }[] = [];
    for (let from = 0; from < found.length; from += BATCH) {
      const batch = found.slice(from, from + BATCH);
      const ids = batch.map(({ id }) => id);
      const uptimes = await this.uptimes.times(ids, window, nowMs, { raw });
      for (const monitor of batch) {
        const times = uptimes.get(monitor.id)?.totals;
        // Absent if the monitor was deleted in the meantime.
        if (times) rows.push({ monitor, times: { ...times, periodMs: window.toMs - window.fromMs } });
      }
    }
    return {
      from: new Date(window.fromMs).toISOString(),
      to: new Date(window.toMs).toISOString(),
      timezone: 'UTC',
      computedAt: new Date(nowMs).toISOString(),
      method: UPTIME_METHOD,
      targetPercent: targetPercent(target),
      raw,
      monitors: rows.map(({ monitor: { id, key, name }, times }) => ({
        monitorId: id,
        key,
        name,
        ...slaFigures(times, target),
      })),
      total: { monitorCount: rows.length, ...slaFigures(sumTimes(rows.map(({ times }) => times)), target) },
    };
  }

  private async find(teamId: TeamId, { monitorId, tag = [] }: SlaReportQuery): Promise<NamedMonitor[]> {
    const named = monitorId && (await this.monitors.resolve(teamId, monitorId));
    if (monitorId?.some((address) => !named?.has(address))) {
      throw invalidQuery([{ parameter: 'monitorId', code: 'invalid_value', detail: 'There is no such monitor.' }]);
    }
    const ids = named ? [...named.values()].map(({ id }) => id) : null;
    const found = await this.selections.filtered(teamId, { ids, tags: tag }, MAX_REPORT_MONITORS + 1);
    if (found.length <= MAX_REPORT_MONITORS) return found;
    const detail = `A report contains at most ${MAX_REPORT_MONITORS} monitors. Select some by monitorId or tag.`;
    throw invalidQuery([{ parameter: 'monitorId', code: 'out_of_range', detail }]);
  }
}
