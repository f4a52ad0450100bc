import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../http/auth/principal.js';
import { type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { CheckResultsService } from '../checks/check-results.service.js';
import { MonitorWritesService } from '../monitors/definition/monitor-writes.service.js';
import { MonitorPausesService } from '../monitors/history/monitor-pauses.service.js';
import { type BulkAction } from './bulk-request.js';

/** Applies an action to one monitor, by the services that also serve the operations of a single monitor. */
@Injectable()
export class MonitorActionsService {
  constructor(
    private readonly pauses: MonitorPausesService,
    private readonly writes: MonitorWritesService,
    private readonly checks: CheckResultsService,
  ) {}

  /** Applies the action in one transaction, at the end of which `keep` is called. @throws 404, 422 */
  apply(teamId: TeamId, id: string, action: BulkAction, keep: KeepAnswer): Promise<unknown> {
    switch (action.kind) {
      case 'pause': {
        const { until, reason } = action;
        return this.pauses.pause(teamId, id, { until, reason }, UNCONDITIONAL, keep);
      }
      case 'resume':
        return this.pauses.resume(teamId, id, undefined, UNCONDITIONAL, keep);
      case 'check':
        return this.checks.request(teamId, id, {}, undefined, keep);
      case 'addTags':
        return this.writes.changeTags(teamId, id, { add: action.tags, remove: [] }, keep);
      case 'removeTags':
        return this.writes.changeTags(teamId, id, { add: [], remove: action.tags }, keep);
      case 'patch':
        return this.writes.update(teamId, id, action.patch, UNCONDITIONAL, keep);
      case 'delete':
        return this.writes.remove(teamId, id, UNCONDITIONAL, keep);
    }
  }
}
