import { stopOrphan } from '../database/embedded/running-server.js';
import { runCommand, say } from './command.js';

/** `npm run db:stop`: stops the embedded database server of `DATA_DIR` that a killed service left running. */
await runCommand(async (config) => {
  const dataDir = config.get('DATA_DIR');
  const stopped = await stopOrphan(dataDir);
  say(
    stopped
      ? `The database server of ${dataDir} has stopped. A service that is still running will restart it: stop the service first.`
      : `No database server is running for ${dataDir}.`,
  );
});
