import { type Socket } from 'node:net';
import { type DatagramScript } from './scripted-server.js';
import { START_TLS_PROTOCOLS } from '../../src/probes/start-tls/start-tls.js';

const FLOOD_BYTES = 100 * 1024 * 1024;

const login = { username: 'mon', password: 'geheim' };
/** Each type, with what makes its check go as far as it can, and each of its ways to TLS. */
export const HOSTILE_CHECKS: [type: string, more: object][] = [
  ['tcp', { settings: { send: 'x', expect: 'never seen' } }],
  ['tcp', { settings: { send: 'x', expectMatches: 'never ?seen' } }],
  ['tcp', { settings: { tls: true } }],
  ['tls', {}],
  ...START_TLS_PROTOCOLS.map((startTls): [string, object] => ['tls', { settings: { startTls } }]),
  ['smtp', { settings: { security: 'none', ...login } }],
  ['smtp', { settings: { security: 'starttls' } }],
  ['smtp', { settings: { security: 'tls' } }],
  ['ssh', { settings: { fingerprint: 'SHA256:uNiVztksCsDhcc0u9e8BrFJXQCBpmGYNmnYR4k0bRCc' } }],
  ['redis', { settings: login }],
  ['redis', { settings: { tls: true } }],
  ['postgres', { settings: login }],
  ['postgres', { settings: { ...login, tls: true } }],
  ['mysql', { settings: login }],
  ['mysql', { settings: { ...login, tls: true } }],
  ['mongodb', { settings: login }],
  ['mongodb', { settings: { tls: true } }],
  ['mqtt', { settings: { ...login, topic: 'a' } }],
  ['mqtt', { settings: { tls: true } }],
  ['grpc', {}],
  ['grpc', { settings: { tls: true } }],
  ['websocket', { url: 'ws://127.0.0.1:{port}/', settings: { send: 'x' } }],
  ['websocket', { url: 'wss://127.0.0.1:{port}/' }],
  ['http', { url: 'http://127.0.0.1:{port}/' }],
  ['http', { url: 'https://127.0.0.1:{port}/', settings: { http2: true } }],
  ['http', { url: 'https://example.com/', settings: { proxyUrl: 'http://127.0.0.1:{port}' } }],
  ['sequence', { settings: { steps: [{ name: 'One', url: 'http://127.0.0.1:{port}/' }] } }],
];

/** A check that asks a registry, which proves nothing about the domain if it does not answer as it should. */
export const HOSTILE_REGISTRY: [type: string, more: object] = [
  'domain',
  { host: 'example.com', settings: { server: 'http://127.0.0.1:{port}/' } },
];

/** The types that send datagrams. */
export const HOSTILE_DATAGRAM_CHECKS: [type: string, more: object][] = [
  ['udp', { settings: { send: 'x', expect: 'never seen' } }],
  ['ntp', {}],
  ['dns', { host: 'example.com', settings: { nameserver: '127.0.0.1:{port}' } }],
];

/** What servers of datagrams do, none of which a check may pass. */
export const HOSTILE_DATAGRAMS: [name: string, act: DatagramScript][] = [
  ['says nothing', () => undefined],
  ['sends the request back', (request, respond) => respond(request)],
  ['sends an empty datagram', (_, respond) => respond('')],
  ['sends random bytes', (_, respond) => respond(Buffer.from('ff00a1b2c3d4e5f6'.repeat(40), 'hex'))],
  ['sends the longest datagram', (_, respond) => respond(Buffer.alloc(65_507, '2'))],
  [
    'sends a flood',
    (request, respond) => {
      // More than the buffer of a socket holds. A longer flood would keep the process busy that also runs the check.
      for (let sent = 0; sent < 300; sent += 1) respond(Buffer.concat([request.subarray(0, 2), Buffer.alloc(1_000)]));
    },
  ],
];

/** Sends a piece as fast as the connection takes it, up to `FLOOD_BYTES`. Returns how much was sent. */
export function flood(socket: Socket, piece: Buffer): { sentBytes(): number } {
  const send = (): void => {
    while (socket.writable && socket.bytesWritten < FLOOD_BYTES && socket.write(piece));
  };
  socket.on('drain', send);
  send();
  return { sentBytes: () => socket.bytesWritten - socket.writableLength };
}

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.writable && socket.write(text[at++ % text.length]!), 20);
  socket.on('close', () => clearInterval(timer));
}

/** What servers do, none of which a check may pass. */
export const HOSTILE_BEHAVIOURS: [name: string, act: (socket: Socket) => void][] = [
  ['accepts the connection and says nothing', () => undefined],
  ['sends one byte after the other', (socket) => drip(socket, '220-hello\r\n')],
  ['sends one byte of its protocol after the other', (socket) => drip(socket, '2\0\0\0*+$')],
  ['speaks HTTP', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')],
  ['sends random bytes', (socket) => socket.write(Buffer.from('ff00a1b2c3d4e5f6'.repeat(40), 'hex'))],
  ['resets the connection at once', (socket) => socket.resetAndDestroy()],
  [
    'resets the connection when it receives something',
    (socket) => {
      socket.write('2');
      socket.once('data', () => socket.resetAndDestroy());
    },
  ],
  ['sends line breaks of other kinds within a line', (socket) => socket.write('220 a\rb\r\n220-a\u2028b\r\n')],
  ['closes the connection at once', (socket) => socket.end()],
  ['closes the connection after a greeting', (socket) => socket.end('220 hello\r\n')],
];

/** Returns the fields of a check of the server at a port, which stands for `{port}` in them. */
export function hostileFields(port: number, more: object): object {
  const fields = JSON.parse(JSON.stringify(more).replaceAll('{port}', String(port))) as object;
  return { host: '127.0.0.1', port, ...fields };
}
