import { createConnection, type Socket } from 'node:net';
import { connect, createSecureContext } from 'node:tls';
import { type Endpoint } from './peers.js';

/** Concurrent requests. */
const AT_ONCE = 16;

/**
 * Requests `/` on fresh connections and does nothing else: the minimum cost of a check in Node. TLS connections use
 * verified full handshakes (no session resumption) and one shared context. Prints the CPU time per request in
 * microseconds.
 */
const [text = '', seconds = '5'] = process.argv.slice(2);
const { secure, host, port } = JSON.parse(text) as Endpoint;
const secureContext = createSecureContext();

function open(): Socket {
  return secure
    ? connect({ host: '127.0.0.1', port, servername: host, secureContext, ALPNProtocols: ['http/1.1'] })
    : createConnection({ host: '127.0.0.1', port, noDelay: true });
}

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open();
    socket.once(secure ? 'secureConnect' : 'connect', () =>
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    socket.once('error', reject);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}

/** Sends requests for `forMs` milliseconds and returns the CPU time per request in microseconds. */
async function measure(forMs: number): Promise<number> {
  const until = performance.now() + forMs;
  const before = process.cpuUsage();
  let requests = 0;
  const line = async (): Promise<void> => {
    for (; performance.now() < until; requests += 1) await ask();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

process.stdin.resume().on('end', () => process.exit(0));
// Warms up, so that JIT compilation is not measured.
await measure(2_000);
process.stdout.write(`${await measure(Number(seconds) * 1_000)}\n`);
