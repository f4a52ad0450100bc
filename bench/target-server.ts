import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A fixed response: the target must not influence the measurement. */
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';

function answer(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.write(ANSWER));
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve));
  return (server.address() as AddressInfo).port;
}

/**
 * Serves a small page on a plain and a TLS port, prints the ports as JSON on one line, and exits when its standard
 * input ends. Arguments: certificate, key.
 */
const [cert = '', key = ''] = process.argv.slice(2);
const plain = createServer({ noDelay: true }, answer);
const secure = createTlsServer(
  { cert: readFileSync(cert), key: readFileSync(key), ALPNProtocols: ['http/1.1'] },
  answer,
);
secure.on('tlsClientError', () => undefined);
const ports = { plain: await listen(plain), secure: await listen(secure) };
process.stdout.write(`${JSON.stringify(ports)}\n`);
process.stdin.resume().on('end', () => process.exit(0));
