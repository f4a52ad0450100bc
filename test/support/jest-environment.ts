import { TestEnvironment } from 'jest-environment-node';
import { type WorkerShare, workerShare } from './worker-share.js';

declare global {
  var workerShare: WorkerShare | undefined;
}

/** Node's environment, extended by what all files of a worker share. */
export default class SharingEnvironment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    this.global.workerShare = workerShare;
  }
}
