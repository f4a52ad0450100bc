import { type Api } from './api.js';
import { type Fleet } from './fleet.js';
import { type Judged } from './judge-checks.js';
import { type Receiver } from './receiver.js';
import { type SpoolWatch } from './spool-watch.js';
import { type StageProcess } from './stage.js';
import { type Wire } from './wire.js';
import { type Writers } from './writers.js';

/** The keys of the channels to which alerts are sent. */
export const CHANNELS = ['first', 'second'];

/** Everything that takes part in a run. */
export interface Scene {
  fleet: Fleet;
  api: Api;
  stage: StageProcess;
  receiver: Receiver;
  writers: Writers;
  wire: Wire;
  spools: SpoolWatch;
  judged: readonly Judged[];
}
