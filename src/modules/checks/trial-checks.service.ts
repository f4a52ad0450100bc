import { Injectable } from '@nestjs/common';
import { judge } from '../../domain/check-result.js';
import { type TeamId } from '../../http/principal.js';
import { probeOf } from '../../probes/index.js';
import { runProbe } from '../../probes/run-check.js';
import { MonitorWritesService } from '../monitors/monitor-writes.service.js';
import { toTrialCheckDto } from './check.mapper.js';
import { type TrialCheckDto } from './dto/check.dto.js';
import { EgressService } from './egress.service.js';

type Judged = ReturnType<MonitorWritesService['judge']>;

/** Checks of definitions that are not stored. */
@Injectable()
export class TrialChecksService {
  constructor(
    private readonly monitors: MonitorWritesService,
    private readonly egress: EgressService,
  ) {}

  /** Judges a definition as a create would, and runs its check once. @throws 422 */
  async run(body: unknown): Promise<TrialCheckDto> {
    return await this.check(this.monitors.judge(body));
  }

  /** Likewise a monitor as a change would make it, with the secrets that it has. @throws 404, 422 */
  async runUpdate(teamId: TeamId, address: string, body: unknown): Promise<TrialCheckDto> {
    return this.check(await this.monitors.judgeUpdate(teamId, address, body));
  }

  private async check(definition: Judged): Promise<TrialCheckDto> {
    const { type, fields, timeoutMs, degradedAfterMs, locations } = definition;
    const checkedAt = new Date();
    const outcome = await runProbe(probeOf(type)!, fields, { timeoutMs, egress: this.egress.egress });
    return toTrialCheckDto(outcome, judge(outcome, degradedAfterMs), checkedAt, locations[0]!);
  }
}
