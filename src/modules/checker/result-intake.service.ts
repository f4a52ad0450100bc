import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { isDatabaseAway } from '../../database/database-fault.js';
import { CheckRequestsService } from '../monitors/schedule/check-requests.service.js';
import { type CheckResult } from './check-queue.js';
import { LeaseService } from './lease.service.js';
import { RecorderService } from './recorder.service.js';
import { type FlowFigures, ResultFlow } from './result-flow.js';
import { type Leftover, Spool } from './spool.js';

/** Accepts results and has them recorded, in batches; what the database does not accept waits in the spool. */
@Injectable()
export class ResultIntakeService implements OnModuleInit {
  private readonly logger = new Logger(ResultIntakeService.name);
  private readonly flow: ResultFlow;

  constructor(
    recorder: RecorderService,
    private readonly requests: CheckRequestsService,
    private readonly lease: LeaseService,
    private readonly spool: Spool,
  ) {
    this.flow = new ResultFlow(
      spool,
      (results) => recorder.record(results),
      (results) => requests.noteAnswered(results.filter(({ attempt }) => attempt < 0)),
    );
  }

  get figures(): FlowFigures {
    return this.flow.figures;
  }

  /** Whether results arrive faster than the database records them, though it answers: no more checks should start. */
  get isBehind(): boolean {
    return this.flow.isBehind;
  }

  /** Finds what an earlier process left in the spool, before anything is dispatched. */
  async onModuleInit(): Promise<void> {
    try {
      const leftover = await this.spool.recover();
      if (leftover.damagedBytes > 0) {
        this.logger.warn(`${leftover.damagedBytes} bytes of the spool are incomplete, as a crash leaves them`);
      }
      if (leftover.results > 0) await this.resume(leftover);
    } catch (error) {
      this.logger.error('the spool cannot be read', error);
    }
  }

  /** Starts to record what the spool holds. */
  start(): void {
    this.flow.start();
  }

  take(results: readonly CheckResult[]): void {
    this.flow.take(results);
  }

  /** Records what has arrived; what the database has not accepted within `withinMs` stays in the spool. */
  stop(withinMs: number): Promise<void> {
    return this.flow.finish(withinMs);
  }

  private async resume({ results, promised, newestCheckedAt }: Leftover): Promise<void> {
    this.logger.log(`${results} results were left in the spool by an earlier process and are recorded now`);
    this.requests.noteAnswered(promised);
    try {
      // While the database was away the lease could not be renewed: until the newest check, this was no absence.
      if (newestCheckedAt !== null) await this.lease.noteServed(newestCheckedAt);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
  }
}
