/** A target that always responds. It reports its port on standard output and ends when its standard input closes. */
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { constants, setPriority } from 'node:os';
import { COUNT_PATH } from './steady-target.js';

try {
  setPriority(constants.priority.PRIORITY_HIGHEST);
} catch {
  // Only root may raise the priority. Otherwise the target competes for the CPU with the code under test.
}
process.stdin.resume().once('close', () => process.exit(0));
let requests = 0;
const server = createServer(({ url }, response) => {
  if (url === COUNT_PATH) response.end(String(requests));
  else {
    requests += 1;
    response.end('ok');
  }
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
