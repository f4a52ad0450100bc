import { type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { settledDescriptors } from '../../test/support/descriptors.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { latestEndMs, timed } from '../../test/support/timed.js';
import { START_TLS_PROTOCOLS } from './start-tls/start-tls.js';

stopsServers();
const TIMEOUT_MS = 400;
const FLOOD_BYTES = 100 * 1024 * 1024;
/** What the kernel buffers for both sides of a connection at most, and what a check reads. */
const MAX_SENT_BYTES = 24 * 1024 * 1024;

const login = { username: 'mon', password: 'geheim' };
/** Each type, with what makes its check go as far as it can, and each of its ways to TLS. */
const CHECKS: [type: string, more: object][] = [
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
  ['websocket', { scheme: 'ws', settings: { send: 'x' } }],
  ['websocket', { scheme: 'wss' }],
];

/** Sends a piece as fast as the connection takes it, up to `FLOOD_BYTES`. Returns how much was sent. */
function flood(socket: Socket, piece: Buffer): { sentBytes(): number } {
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

const BEHAVIOURS: [name: string, act: (socket: Socket) => void][] = [
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
  ['closes the connection at once', (socket) => socket.end()],
  ['closes the connection after a greeting', (socket) => socket.end('220 hello\r\n')],
];

function fieldsOf(port: number, more: object): object {
  const { scheme, ...rest } = more as { scheme?: string };
  if (scheme !== undefined) return { url: `${scheme}://127.0.0.1:${port}/`, ...rest };
  return { host: '127.0.0.1', port, ...rest };
}

/** Runs all checks at the same time, each against a server of its own, and returns those that did not fail as they should. */
async function faultsOf(act: (socket: Socket) => void): Promise<string[]> {
  const faults = await Promise.all(
    CHECKS.map(async ([type, more]) => {
      const { port, idle } = await startScript(act);
      const outcome = await runCheck(type, fieldsOf(port, more), { timeoutMs: TIMEOUT_MS });
      await idle();
      const code = outcome.error?.code ?? 'up';
      return ['up', 'checker_error'].includes(code) ? `${type} ${JSON.stringify(more)}: ${code}` : null;
    }),
  );
  return faults.filter((fault) => fault !== null);
}

describe('a check of any type over TCP', () => {
  it.each(BEHAVIOURS)('ends by its deadline with a named error if the server %s', async (_, act) => {
    const { value, tookMs } = await timed(() => faultsOf(act));
    expect(value).toEqual([]);
    expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
  });

  it.each([
    ['one endless line', Buffer.alloc(65_536, '2')],
    ['endless lines', Buffer.from('220-hello\r\n'.repeat(6_000))],
    ['endless zeros', Buffer.alloc(65_536)],
  ])('reads only a part if the server sends %s', async (_, piece) => {
    const sent: { sentBytes(): number }[] = [];
    const { value, tookMs } = await timed(() => faultsOf((socket) => sent.push(flood(socket, piece))));
    expect(value).toEqual([]);
    expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
    expect(Math.max(...sent.map((one) => one.sentBytes()))).toBeLessThan(MAX_SENT_BYTES);
  });

  it('leaves no descriptor open', async () => {
    const { port } = await startScript((socket) => socket.write('220 hello\r\n'));
    const before = await settledDescriptors();
    const runs = CHECKS.flatMap((check) => Array.from({ length: 5 }, () => check));
    await Promise.all(runs.map(([type, more]) => runCheck(type, fieldsOf(port, more), { timeoutMs: TIMEOUT_MS })));
    expect(await settledDescriptors()).toBeLessThanOrEqual(before);
  });
});
