import { stopOrphan } from '../database/embedded/running-server.js';
import { runCommand, say } from './command.js';

/** `npm run db:stop`: ends the embedded database server of `DATA_DIR` that a killed service left behind. */
await runCommand(async (config) => {
  const dataDir = config.get('DATA_DIR');
  const stopped = await stopOrphan(dataDir);
  say(
    stopped
      ? `The database server of ${dataDir} has stopped. A service that still runs starts it again: stop that one first.`
      : `No database server of ${dataDir} is running.`,
  );
});
