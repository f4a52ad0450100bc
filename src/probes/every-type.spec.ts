import { createHash, X509Certificate } from 'node:crypto';
import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { canPing } from '../../test/support/can-ping.js';
import { settledDescriptors } from '../../test/support/descriptors.js';
import { mongodbReply } from '../../test/support/mongodb-reply.js';
import { greeting, OK, rows, text } from '../../test/support/mysql-packets.js';
import { answerTo, rdata } from '../../test/support/name-server.js';
import { ntpResponse } from '../../test/support/ntp-response.js';
import {
  runCheck,
  startDatagrams,
  startHttp,
  startHttp2,
  startScript,
  stopsServers,
} from '../../test/support/probe-scripts.js';
import { testCertificate } from '../../test/support/raw-target.js';
import { datagramServer, dialogue, scriptedServer } from '../../test/support/scripted-server.js';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { DAY_MS } from '../domain/durations.js';
import { type ErrorCode } from '../domain/error-codes.js';
import { PROBES } from './index.js';

stopsServers();
const login = { username: 'mon', password: 'geheim' };

type Fields = (host: string, port: number) => object;
const endpoint =
  (settings?: object): Fields =>
  (host, port) => ({ host, port, ...(settings && { settings }) });
const oneStep = (url: string): object => ({ settings: { steps: [{ name: 'One', url }] } });

/** A check of each type that connects without TLS at first. */
const PLAIN: Record<string, Fields> = {
  http: (host, port) => ({ url: `http://${host}:${port}/` }),
  sequence: (host, port) => oneStep(`http://${host}:${port}/`),
  websocket: (host, port) => ({ url: `ws://${host}:${port}/` }),
  tcp: endpoint(),
  tls: endpoint(),
  smtp: endpoint({ security: 'none' }),
  ssh: endpoint(),
  redis: endpoint({}),
  postgres: endpoint(login),
  mysql: endpoint(login),
  mongodb: endpoint({}),
  mqtt: endpoint({}),
  grpc: endpoint(),
};
const OVER_UDP: Record<string, Fields> = {
  udp: endpoint({ send: 'x' }),
  ntp: endpoint(),
};
/** A check of each type that uses TLS from the first byte. */
const SECURE: Record<string, Fields> = {
  http: (host, port) => ({ url: `https://${host}:${port}/` }),
  sequence: (host, port) => oneStep(`https://${host}:${port}/`),
  websocket: (host, port) => ({ url: `wss://${host}:${port}/` }),
  tcp: endpoint({ tls: true }),
  tls: endpoint(),
  smtp: endpoint({ security: 'tls' }),
  redis: endpoint({ tls: true }),
  mongodb: endpoint({ tls: true }),
  mqtt: endpoint({ tls: true }),
  grpc: endpoint({ tls: true }),
};

/** Certificates that are not accepted, and with what error. */
const REFUSED = [
  ['expired', 'tls_expired'],
  ['self-signed', 'tls_untrusted'],
  ['other-name', 'tls_name_mismatch'],
] as const;

/** Like `dialogue`, and ends the connection when the check says goodbye. */
function leaving(...script: Parameters<typeof dialogue>): (socket: Socket) => void {
  return (socket) => {
    let left = script.length;
    socket.on('data', () => (left -= 1) === 0 && socket.end());
    dialogue(...script)(socket);
  };
}

/** A message of PostgreSQL. */
function told(type: string, content: string): Buffer {
  const message = Buffer.alloc(5 + content.length);
  message.write(type);
  message.writeInt32BE(4 + content.length, 1);
  message.write(content, 5, 'latin1');
  return message;
}

/** How a connection without TLS changes to it: `requestBytes` is the length of the command. */
interface StartOfTls {
  greeting?: Buffer;
  requestBytes: number;
  agreement?: string;
}

/** What a server does that starts TLS by a command. Without replies, it ends the connection after the handshake. */
function startingTls(
  { greeting, requestBytes, agreement }: StartOfTls,
  certificate: Parameters<typeof testCertificate>[0],
  ...replies: Buffer[]
): (socket: Socket) => void {
  return (socket) => {
    if (greeting) socket.write(greeting);
    socket.once('data', (heard: Buffer) => {
      // The handshake may have arrived together with the command.
      socket.pause().unshift(heard.subarray(requestBytes));
      if (agreement) socket.write(agreement);
      const secured = new TLSSocket(socket, { isServer: true, ...testCertificate(certificate) });
      secured.on('error', () => undefined);
      leaving(null, ...replies)(secured);
    });
  };
}

/** The types that start TLS by a command, each with its settings, the command, and what a check then receives. */
const SQL: [type: string, settings: object, start: StartOfTls, replies: Buffer[]][] = [
  [
    'postgres',
    { ...login, statement: 'SELECT 7' },
    { requestBytes: 8, agreement: 'S' },
    [Buffer.concat([told('R', '\0\0\0\0'), told('Z', 'I'), told('D', '\0\x01\0\0\0\x017'), told('Z', 'I')])],
  ],
  [
    'mysql',
    login,
    { greeting: greeting('mysql_native_password', { offersTls: true }), requestBytes: 36 },
    [OK(3), rows(text('7'))],
  ],
];

async function faultOf(type: string, fields: object, options = {}): Promise<ErrorCode | undefined> {
  return (await runCheck(type, fields, { timeoutMs: 10_000, ...options })).error?.code;
}

describe('a check of each type', () => {
  it.each(Object.entries(PLAIN))('%s fails with connect_refused at a closed port', async (type, fields) => {
    const { port, close } = await scriptedServer(() => undefined);
    await close();
    expect(await faultOf(type, fields('127.0.0.1', port))).toBe('connect_refused');
  });

  it.each(Object.entries(OVER_UDP))('%s fails with connect_refused at a closed port', async (type, fields) => {
    const { port, close } = await datagramServer(() => undefined);
    await close();
    expect(await faultOf(type, fields('127.0.0.1', port))).toBe('connect_refused');
  });

  it.each(Object.entries({ ...PLAIN, ...OVER_UDP }))('%s fails with address_blocked', async (type, fields) => {
    expect(await faultOf(type, fields('127.0.0.1', 9), { allow: [] })).toBe('address_blocked');
  });

  // The longest label of a name has 63 characters.
  it.each(Object.entries({ ...PLAIN, ...OVER_UDP }))('%s fails with dns_not_found', async (type, fields) => {
    expect(await faultOf(type, fields(`${'x'.repeat(64)}.example`, 9))).toBe('dns_not_found');
  });

  it.each(
    Object.entries(SECURE).flatMap(([type, fields]) =>
      REFUSED.map(([certificate, code]) => [type, code, certificate, fields] as const),
    ),
  )('%s fails with %s', async (type, code, certificate, fields) => {
    const { port } = await startScript(() => undefined, testCertificate(certificate));
    expect(await faultOf(type, fields('localhost', port))).toBe(code);
  });

  it.each(
    SQL.flatMap(([type, settings, start]) =>
      REFUSED.map(([certificate, code]) => [type, code, certificate, settings, start] as const),
    ),
  )('%s, which starts TLS by a command, fails with %s', async (type, code, certificate, settings, start) => {
    const { port } = await startScript(startingTls(start, certificate));
    expect(await faultOf(type, { host: 'localhost', port, settings: { ...settings, tls: true } })).toBe(code);
  });
});

/** One assertion that passes and one that fails, about each source. */
type Facts = Partial<Record<AssertionSource, [passes: Omit<Assertion, 'source'>, fails: Omit<Assertion, 'source'>]>>;
const is = (target: string | number, other: string | number = 'other'): Facts[AssertionSource] => [
  { comparison: 'equals', target },
  { comparison: 'equals', target: other },
];
const TIME: Facts = {
  responseTimeMs: [
    { comparison: 'lessThan', target: 60_000 },
    { comparison: 'greaterThan', target: 60_000 },
  ],
};
const OF_TLS: Facts = {
  ...TIME,
  tlsDaysLeft: [
    { comparison: 'greaterThan', target: 1 },
    { comparison: 'lessThan', target: 1 },
  ],
  tlsProtocol: is('TLSv1.3', 'TLSv1.2'),
  certificateFingerprint: is(
    new X509Certificate(testCertificate('valid').cert as Buffer).fingerprint256.replaceAll(':', '').toLowerCase(),
    'a'.repeat(64),
  ),
};

const secured = async (act: (socket: Socket) => void): Promise<number> => {
  return (await startScript(act, testCertificate('valid'))).port;
};
/** A target that passes, for each type. */
const TARGETS: [type: string, make: () => Promise<object>, facts: Facts][] = [
  [
    'http',
    async () => ({
      url: `https://localhost:${await secured(dialogue(null, 'HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 7\r\n\r\n{"a":1}'))}/`,
    }),
    {
      ...OF_TLS,
      statusCode: is(200, 201),
      header: [
        { property: 'x-a', comparison: 'equals', target: 'b' },
        { property: 'x-a', comparison: 'equals', target: 'c' },
      ],
      textBody: is('{"a":1}'),
      jsonBody: [
        { property: '$.a', comparison: 'equals', target: 1 },
        { property: '$.a', comparison: 'equals', target: 2 },
      ],
      responseBodySize: is(7, 8),
    },
  ],
  ['tcp', async () => SECURE.tcp!('localhost', await secured(() => undefined)), OF_TLS],
  ['tls', async () => SECURE.tls!('localhost', await secured(() => undefined)), OF_TLS],
  [
    'smtp',
    async () => SECURE.smtp!('localhost', await secured(leaving('220 ready\r\n', '250 ok\r\n'))),
    {
      ...OF_TLS,
      textBody: [
        { comparison: 'contains', target: 'ready' },
        { comparison: 'contains', target: 'busy' },
      ],
    },
  ],
  [
    'redis',
    async () => SECURE.redis!('localhost', await secured(leaving(null, '+PONG\r\n'))),
    { ...OF_TLS, value: is('PONG') },
  ],
  [
    'mqtt',
    async () => {
      const message = Buffer.from([0x90, 3, 0, 1, 0, 0x30, 5, 0, 1, 97, 52, 50]);
      const port = await secured(leaving(null, Buffer.from([0x20, 2, 0, 0]), message));
      return endpoint({ tls: true, topic: 'a' })('localhost', port);
    },
    { ...OF_TLS, value: is('42') },
  ],
  [
    'websocket',
    async () => {
      const accept = (request: Buffer): string => {
        const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(request.toString()) ?? [];
        const digest = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
        return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${digest}\r\n\r\n`;
      };
      return SECURE.websocket!('localhost', await secured(leaving(null, accept)));
    },
    OF_TLS,
  ],
  [
    'grpc',
    async () => {
      const port = await startHttp2((stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
      });
      return SECURE.grpc!('localhost', port);
    },
    OF_TLS,
  ],
  ...SQL.map(([type, settings, start, replies]): (typeof TARGETS)[number] => [
    type,
    async () => {
      const { port } = await startScript(startingTls(start, 'valid', ...replies));
      return endpoint({ ...settings, tls: true })('localhost', port);
    },
    { ...OF_TLS, value: is('7') },
  ]),
  [
    'mongodb',
    async () => {
      const port = await secured(leaving(null, (request) => mongodbReply(request, { n: 7, ok: 1 })));
      return SECURE.mongodb!('localhost', port);
    },
    { ...OF_TLS, value: is(7, 8) },
  ],
  [
    'ssh',
    async () => endpoint()('127.0.0.1', (await startScript(dialogue('SSH-2.0-OpenSSH_9\r\n'))).port),
    {
      ...TIME,
      textBody: [
        { comparison: 'contains', target: 'OpenSSH' },
        { comparison: 'contains', target: 'dropbear' },
      ],
    },
  ],
  ['sequence', async () => oneStep(await startHttp((_request, _body, response) => response.end('ok'))), TIME],
  [
    'udp',
    async () => endpoint({ send: 'x' })('127.0.0.1', (await startDatagrams((_, respond) => respond('y'))).port),
    TIME,
  ],
  [
    'ntp',
    async () => {
      return endpoint()('127.0.0.1', (await startDatagrams((request, respond) => respond(ntpResponse(request)))).port);
    },
    TIME,
  ],
  [
    'dns',
    async () => {
      const zone = { 'x.example/A': [rdata.a('192.0.2.1')] };
      const { port } = await startDatagrams((query, respond) => respond(answerTo(zone, query, true)!));
      return { host: 'x.example', settings: { recordType: 'A', nameserver: `127.0.0.1:${port}` } };
    },
    { ...TIME, dnsRecord: is('192.0.2.1', '192.0.2.2') },
  ],
  [
    'domain',
    async () => {
      const events = [{ eventAction: 'expiration', eventDate: new Date(Date.now() + 10.5 * DAY_MS).toISOString() }];
      const registration = JSON.stringify({ objectClassName: 'domain', events });
      const origin = await startHttp((_request, _body, response) => response.end(registration));
      return { host: 'example.com', settings: { server: `${origin}/` } };
    },
    {
      ...TIME,
      domainDaysLeft: is(10, 11),
      jsonBody: [
        { property: '$.events[0].eventAction', comparison: 'equals', target: 'expiration' },
        { property: '$.events[0].eventAction', comparison: 'equals', target: 'other' },
      ],
    },
  ],
  ...((canPing()
    ? [
        [
          'ping',
          () => Promise.resolve({ host: '127.0.0.1', settings: { count: 2 } }),
          {
            ...TIME,
            packetLossPercent: is(0, 50),
            jitterMs: [
              { comparison: 'lessThan', target: 60_000 },
              { comparison: 'greaterThan', target: 60_000 },
            ],
          },
        ],
      ]
    : []) as [string, () => Promise<object>, Facts][]),
];
/** A heartbeat runs no check, and pings need a program. */
const WITHOUT_TARGET = ['heartbeat', ...(canPing() ? [] : ['ping'])];

describe('a check that passes', () => {
  it.each(TARGETS)('of type %s leaves no descriptor open', async (type, make) => {
    const fields = await make();
    const before = await settledDescriptors();
    for (let run = 0; run < 5; run += 1) expect(await faultOf(type, fields)).toBeUndefined();
    expect(await settledDescriptors()).toBeLessThanOrEqual(before);
  });
});

describe('an assertion about each source of each type', () => {
  it.each(
    TARGETS.flatMap(([type, make, facts]) =>
      Object.entries(facts).map(([source, two]) => [type, source, make, two] as const),
    ),
  )('%s: %s', async (type, source, make, [passes, fails]) => {
    expect(await faultOf(type, { ...(await make()), assertions: [{ source, ...passes }] })).toBeUndefined();
    expect(await faultOf(type, { ...(await make()), assertions: [{ source, ...fails }] })).toBe('assertion_failed');
  });

  it('is tested', () => {
    const missing = PROBES.flatMap(({ type, form }) => {
      if (WITHOUT_TARGET.includes(type)) return [];
      const [, , facts = {}] = TARGETS.find(([one]) => one === type) ?? [];
      return (form?.sources ?? []).filter((source) => !(source in facts)).map((source) => `${type}: ${source}`);
    });
    expect(missing).toEqual([]);
  });
});
