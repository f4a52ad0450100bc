import { startApp, type TestApp } from './app.js';
import { type Client } from './client.js';
import { type Front, startFront } from './front.js';
import { type Access, PipelineStage } from './pipelines.js';
import { startTarget, type Target } from './target.js';

/** All that a script for pipelines meets: the service behind a proxy, something to watch, and a folder. */
export interface PipelineScene {
  app: TestApp;
  target: Target;
  front: Front;
  stage: PipelineStage;
  /** What a script is given: a key that may write. */
  access: Access;
  api: Client;
  /** For polling, at the cost of a rate limit of its own. */
  watcher: Client;
  close(): Promise<void>;
}

export async function openScene(settings: Record<string, string> = {}): Promise<PipelineScene> {
  const [app, target, stage] = await Promise.all([startApp(settings), startTarget(), PipelineStage.open()]);
  const front = await startFront(app.origin);
  const { admin, write, read } = app.teams.ours;
  return {
    ...{ app, target, front, stage },
    access: { DAYWATCH_URL: front.origin, DAYWATCH_API_KEY: write },
    api: app.api(admin),
    watcher: app.api(read),
    close: async () => {
      await stage.close();
      await front.close();
      // First, so that no check waits for it any more.
      await target.close();
      await app.close();
    },
  };
}
