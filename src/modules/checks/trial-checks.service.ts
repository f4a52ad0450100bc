import { Injectable } from '@nestjs/common';
import { judge } from '../../domain/check-result.js';
import { probeOf } from '../../probes/index.js';
import { runProbe } from '../../probes/run-check.js';
import { MonitorWritesService } from '../monitors/monitor-writes.service.js';
import { toTrialCheckDto } from './check.mapper.js';
import { type TrialCheckDto } from './dto/check.dto.js';
import { EgressService } from './egress.service.js';

/** Checks of definitions that are not stored. */
@Injectable()
export class TrialChecksService {
  constructor(
    private readonly monitors: MonitorWritesService,
    private readonly egress: EgressService,
  ) {}

  /** Judges a definition as a create would, and runs its check once. @throws 422 */
  async run(body: unknown): Promise<TrialCheckDto> {
    const { type, fields, timeoutMs, degradedAfterMs, locations } = this.monitors.judge(body);
    const checkedAt = new Date();
    const outcome = await runProbe(probeOf(type)!, fields, { timeoutMs, egress: this.egress.egress });
    return toTrialCheckDto(outcome, judge(outcome, degradedAfterMs), checkedAt, locations[0]!);
  }
}
