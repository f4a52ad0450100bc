import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/**
 * The response to one question: the data of its records (time to live: 0 seconds by default), a response code, or an
 * invalid message. `truncated`: over UDP the response only has the truncation flag; the records are sent over TCP.
 * `isAuthenticated`: it has the flag AD.
 */
export type ZoneAnswer =
  Buffer[] | { records: Buffer[]; ttl?: number; truncated?: boolean; isAuthenticated?: boolean } | number | 'garbage';

/** The responses by `name/TYPE`. Any other question gets no response. */
export type Zone = Record<string, ZoneAnswer>;

export const FORMERR = 1;
export const SERVFAIL = 2;
export const NXDOMAIN = 3;
export const NOTIMP = 4;
export const REFUSED = 5;

const TYPES: Record<string, number> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
};
const TYPE_NAMES = new Map(Object.entries(TYPES).map(([name, code]) => [code, name]));

/** A minimal name server (RFC 1035, section 4) on 127.0.0.1 and a free port, the same for UDP and TCP. */
export interface NameServer {
  /** `127.0.0.1:<port>` */
  at: string;
  port: number;
  /** May be changed at any time. */
  zone: Zone;
  /** The questions received so far, as `name/TYPE`. */
  asked: string[];
  close(): Promise<void>;
}

export async function startNameServer(zone: Zone = {}): Promise<NameServer> {
  const [udp, tcp] = await listen();
  const { port } = udp.address();
  const open = new Set<Socket>();
  const server: NameServer = {
    at: `127.0.0.1:${port}`,
    port,
    zone,
    asked: [],
    close: async () => {
      for (const socket of open) socket.destroy();
      await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))]);
    },
  };
  udp.on('message', (query, peer) => {
    const message = respond(server, query, true);
    if (message) udp.send(message, peer.port, peer.address);
  });
  tcp.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    // Over loopback, each question arrives in one chunk.
    socket.on('data', (chunk) => {
      const message = respond(server, chunk.subarray(2), false);
      if (message) socket.write(Buffer.concat([u16(message.length), message]));
    });
  });
  return server;
}

/** Listens on a port that is free for both UDP and TCP. */
async function listen(): Promise<[UdpSocket, Server]> {
  for (let attempt = 1; ; attempt++) {
    const udp = createSocket('udp4').bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const tcp = createServer().listen(udp.address().port, '127.0.0.1');
    try {
      await once(tcp, 'listening');
      return [udp, tcp];
    } catch (error) {
      udp.close();
      if (attempt === 20) throw error;
    }
  }
}

function respond({ zone, asked }: NameServer, query: Buffer, datagram: boolean): Buffer | null {
  asked.push(questionIn(query).question);
  return answerTo(zone, query, datagram);
}

function questionIn(query: Buffer): { question: string; type: number; at: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = query.readUInt16BE(at + 1);
  return { question: `${labels.join('.')}/${TYPE_NAMES.get(type)}`, type, at };
}

/** Returns the response to a query; `null` for none. */
export function answerTo(zone: Zone, query: Buffer, datagram: boolean): Buffer | null {
  const { question, type, at } = questionIn(query);
  const answer = zone[question];
  if (answer === undefined) return null;
  const head = Buffer.from(query.subarray(0, 12));
  if (answer === 'garbage') return Buffer.concat([head.subarray(0, 2), Buffer.alloc(40, 0xff)]);
  const said = Array.isArray(answer) ? { records: answer } : typeof answer === 'number' ? { records: [] } : answer;
  const {
    records,
    ttl = 0,
    truncated = false,
    isAuthenticated = false,
  }: Exclude<ZoneAnswer, Buffer[] | number | 'garbage'> = said;
  const code = typeof answer === 'number' ? answer : 0;
  const cut = truncated && datagram;
  const resources = cut ? [] : records.map((data) => resource(type, ttl, data));
  head.writeUInt16BE(0x8180 | (cut ? 0x200 : 0) | (isAuthenticated ? 0x20 : 0) | code, 2);
  for (const [index, count] of [1, resources.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * index);
  return Buffer.concat([head, query.subarray(12, at + 5), ...resources]);
}

/** Returns a record of the queried name, as a pointer to the name in the question. */
function resource(type: number, ttl: number, data: Buffer): Buffer {
  return Buffer.concat([u16(0xc00c), u16(type), u16(1), u32(ttl), u16(data.length), data]);
}

/** Encodes the data of records. Texts are encoded as UTF-8. */
export const rdata = {
  a: (address: string): Buffer => Buffer.from(address.split('.').map(Number)),
  aaaa: (hex: string): Buffer => Buffer.from(hex, 'hex'),
  name: (name: string): Buffer =>
    Buffer.concat([...name.split('.').filter(Boolean).map(characterString), Buffer.alloc(1)]),
  mx: (priority: number, name: string): Buffer => Buffer.concat([u16(priority), rdata.name(name)]),
  srv: (priority: number, weight: number, port: number, name: string): Buffer =>
    Buffer.concat([u16(priority), u16(weight), u16(port), rdata.name(name)]),
  txt: (...strings: (string | Buffer)[]): Buffer => Buffer.concat(strings.map(characterString)),
  caa: (flags: number, tag: string, value: string): Buffer =>
    Buffer.concat([Buffer.from([flags]), characterString(tag), Buffer.from(value)]),
  soa: (server: string, mailbox: string, ...numbers: number[]): Buffer =>
    Buffer.concat([rdata.name(server), rdata.name(mailbox), ...numbers.map(u32)]),
};

function characterString(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text as string);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
