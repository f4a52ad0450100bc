import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { demoContent } from './demo-content.js';
import { Stage } from './stage.js';
import { startStillApp } from './world.js';

/** Opens a stage with demo content for the tests of a `describe`, and hands it over. Ends the visits of each test. */
export function useStage(take: (stage: Stage) => void): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(startStillApp, demoContent(Date.now()));
    take(stage);
  }, 120_000);
  afterEach(() => stage.clear());
  afterAll(() => stage.close());
}
