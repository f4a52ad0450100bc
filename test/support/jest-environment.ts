import { TestEnvironment } from 'jest-environment-node';
import { PATIENCE } from './patience.js';
import { type WorkerShare, workerShare } from './worker-share.js';

declare global {
  var workerShare: WorkerShare | undefined;
}

interface Limited {
  timeout?: number | null;
}

/** Node's environment, extended by objects that a worker's files share, with longer timeouts for a busy machine. */
export default class SharingEnvironment extends TestEnvironment {
  private readonly patientWith = new WeakSet<Limited>();

  override async setup(): Promise<void> {
    await super.setup();
    this.global.workerShare = workerShare;
  }

  handleTestEvent({ name, hook, test }: { name: string; hook?: Limited; test?: Limited }): void {
    if (name === 'hook_start') this.extend(hook!);
    if (name === 'test_start') this.extend(test!);
  }

  /** Extends each timeout only once: hooks start once per test, and a retried test starts again. */
  private extend(limited: Limited): void {
    if (this.patientWith.has(limited)) return;
    this.patientWith.add(limited);
    limited.timeout &&= limited.timeout * PATIENCE;
  }
}
