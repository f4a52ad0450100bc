import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Answers every request with `OK`, prints its origin on one line, and exits when its standard input ends. */
const server = createServer((request, response) => {
  request.resume().once('end', () => response.end('OK'));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
process.stdin.resume().on('end', () => process.exit(0));
