import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { PATIENCE } from './patience.js';
import { type WorkerShare, workerShare } from './worker-share.js';

declare global {
  var workerShare: WorkerShare | undefined;
}

interface Limited {
  timeout?: number | null;
}

/** The storages that the current file uses: its own, and those of the Jest that is loaded anew for it. */
const used = new Set<AsyncLocalStorage<unknown>>();
const storages = AsyncLocalStorage.prototype as { run: (this: unknown, ...parameters: unknown[]) => unknown };
const { run } = storages;
storages.run = function (...parameters) {
  used.add(this as AsyncLocalStorage<unknown>);
  return run.apply(this, parameters);
};

/** Node's environment, extended by objects that a worker's files share, with longer timeouts for a busy machine. */
export default class SharingEnvironment extends TestEnvironment {
  private readonly patientWith = new WeakSet<Limited>();

  override async setup(): Promise<void> {
    await super.setup();
    this.global.workerShare = workerShare;
  }

  /** Up to Node 22, each storage that is in use slows down all that is asynchronous, also after its file has ended. */
  override async teardown(): Promise<void> {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
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
