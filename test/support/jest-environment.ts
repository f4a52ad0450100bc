import { TestEnvironment } from 'jest-environment-node';
import { PATIENCE } from './patience.js';
import { type WorkerShare, workerShare } from './worker-share.js';

declare global {
  var workerShare: WorkerShare | undefined;
}

interface Limited {
  timeout?: number | null;
}

/** Node's environment, extended by what all files of a worker share, and patient with tests on a busy machine. */
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

  /** Once each: a hook starts for each test, and a test again where it is retried. */
  private extend(limited: Limited): void {
    if (this.patientWith.has(limited)) return;
    this.patientWith.add(limited);
    limited.timeout &&= limited.timeout * PATIENCE;
  }
}
