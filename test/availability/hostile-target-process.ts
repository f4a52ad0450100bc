import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';

/** A hostile target. The path selects the attack. It prints its port and ends when its standard input closes. */
const MIB = 1_048_576;
const OK = 'HTTP/1.1 200 OK\r\n';
const list = (length: number): string => JSON.stringify(Array.from({ length }, (_, at) => at));

function whole(body: string | Buffer, head = ''): (socket: Socket) => void {
  const bytes = Buffer.from(body);
  return (socket) => {
    socket.write(`${OK}${head}Content-Length: ${bytes.length}\r\n\r\n`);
    socket.end(bytes);
  };
}

/** Repeats the same bytes as fast as they are read. */
function endless(head: string, piece: Buffer): (socket: Socket) => void {
  return (socket) => {
    socket.write(head);
    const feed = (error?: Error | null): void => {
      if (!error && !socket.destroyed) socket.write(piece, feed);
    };
    feed();
  };
}

/** Sends the same bytes every few milliseconds. */
function drip(head: string, piece: Buffer, everyMs: number): (socket: Socket) => void {
  return (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
/** Accepts a WebSocket, and repeats the same frame as fast as it is read. Reads nothing. */
function frames(frame: Buffer): (socket: Socket, request: string) => void {
  return (socket, request) => {
    const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(request) ?? [];
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
    socket.pause();
    endless(head, Buffer.alloc(65_536, frame))(socket);
  };
}

const WAYS: Record<string, (socket: Socket, request: string) => void> = {
  '/lists': whole(`{"a":${list(70_000)},"b":${list(70_000)}}`),
  '/nested': whole(
    `{"c":[${Array(6)
      .fill(`{"a":${list(10_000)},"b":${list(10_000)}}`)
      .join(',')}]}`,
  ),
  '/deep': whole('['.repeat(MIB)),
  '/ab': whole('ab'.repeat(MIB / 2)),
  '/digits': whole(`${'1'.repeat(MIB - 1)}x`),
  '/many-scalars': whole(`[${'0,'.repeat(MIB / 2 - 2)}0]`),
  '/blanks': (socket) => socket.end(`${OK}X:${' '.repeat(65_000)}\x01\r\n\r\n`, 'latin1'),
  '/folds': (socket) => socket.end(`${OK}X: a${'\r\n b'.repeat(16_000)}\r\nContent-Length: 0\r\n\r\n`),
  '/fields': (socket) => socket.end(`${OK}${'A:\r\n'.repeat(16_000)}Content-Length: 0\r\n\r\n`),
  '/interim': endless('', Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n')),
  '/one-byte-chunks': endless(CHUNKED, Buffer.from('1\r\nx\r\n'.repeat(10_000))),
  '/extensions': endless(CHUNKED, Buffer.from(`1;${'x'.repeat(4_000)}\r\nx\r\n`.repeat(16))),
  '/slow-chunks': drip(CHUNKED, Buffer.from('1\r\nx\r\n'.repeat(64)), 5),
  '/endless': endless(`${OK}\r\n`, Buffer.alloc(65_536, 'x')),
  '/kept': (socket) => void socket.write(`${OK}Content-Length: 1048576\r\n\r\n${'x'.repeat(MIB - 1)}`),
  '/bomb': whole(gzipSync(Buffer.alloc(500 * MIB)), 'Content-Encoding: gzip\r\n'),
  '/pings': frames(Buffer.from('8900', 'hex')),
  '/messages': frames(Buffer.from('8100', 'hex')),
  '/letters': (socket) => {
    const head = `${OK}X: ${'x'.repeat(60_000)}`;
    let at = 0;
    const timer = setInterval(() => {
      for (const until = Math.min(head.length, at + 40); at < until; at += 1) socket.write(head[at]!);
    }, 1);
    socket.on('close', () => clearInterval(timer));
  },
};

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (data) => {
    const before = received.includes('\r\n\r\n');
    received += data.toString('latin1');
    if (before || !received.includes('\r\n\r\n')) return;
    const path = received.split(' ', 2)[1] ?? '';
    (WAYS[path] ?? whole('ok'))(socket, received);
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`);
});
createInterface({ input: process.stdin }).once('close', () => process.exit(0));
