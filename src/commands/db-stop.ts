import { stopOrphan } from '../database/embedded/running-server.js';
import { runCommand, say } from './command.js';

/** `npm run db:stop`: stops the embedded database server of `DATA_DIR` that a killed service left running. */
await runCommand(async (config) => {
  const dataDir = config.get('DATA_DIR');
  const stopped = await stopOrphan(dataDir);
  say(
    stopped
      ? `Stopped the database server of ${dataDir}. A running service restarts it: in that case, stop the service and run this command again.`
      : `No database server is running for ${dataDir}.`,
  );
});
