import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../../http/auth/principal.js';
import { ProblemException } from '../../../http/problems/problem.js';
import { LatestChecksService } from '../../checks/latest-checks.service.js';
import { type Watched } from '../../monitors/definition/monitor-changes.service.js';
import { MonitorCountsService } from '../../monitors/state/monitor-counts.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { EvidenceService } from './detail-evidence.service.js';
import { type EvidenceUpdate, evidenceUpdate } from './detail-evidence.js';
import { type CountsUpdate, countsUpdate } from './list-counts.js';
import { type LiveUpdate, liveUpdate } from './live-parts.js';

/** A monitor that has changed, and whether its pages need the evidence. */
export interface Changed extends Watched {
  withEvidence: boolean;
}

export interface MonitorUpdate {
  update: LiveUpdate;
  /** Null if no page needs it. */
  evidence: EvidenceUpdate | null;
}

/** Renders the updates of open pages. Each monitor and each team is queried once, however many pages show it. */
@Injectable()
export class LiveUpdates {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly latest: LatestChecksService,
    private readonly evidence: EvidenceService,
    private readonly counts: MonitorCountsService,
  ) {}

  /** Returns the updates of these monitors, without those deleted meanwhile. */
  async ofMonitors(changed: readonly Changed[], nowMs: number): Promise<Map<string, MonitorUpdate>> {
    const distinct = distinctOf(changed);
    if (distinct.length === 0) return new Map();
    const [shown, latest] = await Promise.all([
      Promise.all(distinct.map((one) => this.shown(one, nowMs).catch(leaveOutGone))),
      this.latest.of(
        distinct.map(({ id }) => id),
        nowMs,
      ),
    ]);
    return new Map(
      shown.flatMap((one) => {
        if (!one) return [];
        const { monitor, evidence } = one;
        const update = liveUpdate({ monitor, latest: latest.get(monitor.id) ?? null, nowMs });
        return [[monitor.id, { update, evidence }]];
      }),
    );
  }

  async countsOf(teamIds: readonly TeamId[]): Promise<Map<TeamId, CountsUpdate>> {
    const counts = await Promise.all(teamIds.map((teamId) => this.counts.byStatus(teamId)));
    return new Map(teamIds.map((teamId, index) => [teamId, countsUpdate(counts[index]!)]));
  }

  private async shown({ teamId, id, withEvidence }: Changed, nowMs: number) {
    const [monitor, evidence] = await Promise.all([
      this.monitors.get(teamId, id),
      withEvidence ? this.evidence.of(teamId, id, nowMs) : null,
    ]);
    return { monitor, evidence: evidence && evidenceUpdate({ monitor, evidence }) };
  }
}

/** Returns each monitor once, with the evidence if any page needs it. */
function distinctOf(changed: readonly Changed[]): Changed[] {
  const distinct = new Map<string, Changed>();
  for (const one of changed) {
    const withEvidence = one.withEvidence || (distinct.get(one.id)?.withEvidence ?? false);
    distinct.set(one.id, { ...one, withEvidence });
  }
  return [...distinct.values()];
}

function leaveOutGone(error: unknown): null {
  if (error instanceof ProblemException && error.getStatus() === 404) return null;
  throw error;
}
