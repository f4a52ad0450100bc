import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { constants, setPriority } from 'node:os';

/**
 * A target that responds to `/<check>/<ms>` after that many milliseconds, and never to `/hang`. Prints its port. When
 * its standard input ends, prints the milliseconds from request to response of each check as JSON, and exits.
 */
try {
  setPriority(constants.priority.PRIORITY_HIGHEST);
} catch {
  // Only root may. Otherwise late responses are excluded from the figures.
}
const served: Record<string, number> = {};
const server = createServer((request, response) => {
  const [, check = '', ms] = (request.url ?? '').split('/');
  if (ms === undefined) return;
  const from = performance.now();
  setTimeout(() => {
    response.end('ok');
    served[check] = performance.now() - from;
  }, Number(ms));
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => {
  process.stdout.write(`${JSON.stringify(served)}\n`, () => process.exit(0));
});
