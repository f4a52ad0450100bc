import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AppConfig } from '../../config/app-config.js';
import { isDatabaseAway } from '../../database/database-fault.js';
import { ProcessesService } from './processes.service.js';
import { ResultIntakeService } from './result-intake.service.js';

const NOTE_MS = 1_000;
/** A process that does not repeat its note for this long has ended, and its successor makes its own. */
const NOTED_WITHIN_MS = 10_000;
/** A process that has had reports for longer than this is not waited for, because it may never be able to record them. */
const LONGEST_WAIT_MS = 600_000;

/**
 * Lets processes know of each other that they have confirmed reports of jobs that the database does not contain yet,
 * as after an outage of the database. Until these are recorded, deadlines may have been met.
 */
@Injectable()
export class WaitingReportsService {
  private readonly logger = new Logger(WaitingReportsService.name);
  private isNoted = false;

  constructor(
    private readonly config: AppConfig,
    private readonly processes: ProcessesService,
    private readonly intake: ResultIntakeService,
  ) {}

  /** Notes whether this process has such reports. */
  @Interval(NOTE_MS)
  async note(): Promise<void> {
    const areWaiting = this.config.has('api') && this.intake.reportsRecordedUntil === Number.NEGATIVE_INFINITY;
    if (!areWaiting && !this.isNoted) return;
    try {
      await this.processes.noteReports(areWaiting);
      this.isNoted = areWaiting;
    } catch (error) {
      if (!isDatabaseAway(error)) this.logger.error('could not note that reports wait to be recorded', error);
    }
  }

  /** Returns whether another process has such reports. */
  areElsewhere(): Promise<boolean> {
    return this.processes.haveOthersReports(NOTED_WITHIN_MS, LONGEST_WAIT_MS);
  }
}
