import { startApp, type TestApp } from './app.js';
import { type Client } from './client.js';
import { type Front, startFront } from './front.js';
import { type Access, PipelineStage } from './pipelines.js';
import { startTarget, type Target } from './target.js';

/** The environment of a pipeline script: the service behind a proxy, a target, and a folder. */
export interface PipelineScene {
  app: TestApp;
  target: Target;
  front: Front;
  stage: PipelineStage;
  /** The access of a script: a key with the scope `write`. */
  access: Access;
  api: Client;
  /** For polling; the key has a rate limit of its own. */
  watcher: Client;
  close(): Promise<void>;
}

export async function openScene(settings: Record<string, string> = {}): Promise<PipelineScene> {
  const [app, target, stage] = await Promise.all([startApp(settings), startTarget(), PipelineStage.open()]);
  const front = await startFront(app.origin);
  const { admin, write, read } = app.teams.ours;
  return {
    app,
    target,
    front,
    stage,
    access: { DAYWATCH_URL: front.origin, DAYWATCH_API_KEY: write },
    api: app.api(admin),
    watcher: app.api(read),
    close: async () => {
      await stage.close();
      await front.close();
      // Before the service, so that no check waits for the target.
      await target.close();
      await app.close();
    },
  };
}
