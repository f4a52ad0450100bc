import { createHash } from 'node:crypto';
import { type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { testCertificate } from '../../test/support/raw-target.js';
import { WebsocketFields, websocketProbe } from './websocket.probe.js';

stopsServers();

/** Returns an unmasked frame. */
function frame(opcode: number, payload: string | Buffer, isFinal = true): Buffer {
  const bytes = Buffer.from(payload as string);
  const head = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([(isFinal ? 0x80 : 0) | opcode, ...head]), bytes]);
}

/** Returns the opcode and the unmasked payload of the first frame of a client. */
function read(bytes: Buffer): { opcode: number; payload: string; isMasked: boolean } {
  const key = bytes.subarray(2, 6);
  const payload = bytes.subarray(6, 6 + (bytes[1]! & 0x7f)).map((byte, index) => byte ^ key[index & 3]!);
  return { opcode: bytes[0]! & 0x0f, payload: Buffer.from(payload).toString(), isMasked: (bytes[1]! & 0x80) !== 0 };
}

interface Script {
  status?: string;
  accept?: string;
  more?: string;
  /** What is sent after the upgrade, without waiting. */
  greeting?: Buffer[];
  /** What is sent in response to the first frame. */
  replies?: Buffer[];
  onFrame?: (frame: ReturnType<typeof read>) => void;
}

function websocketServer(script: Script = {}): (socket: Socket) => void {
  const { status = '101 Switching Protocols', accept, more = '', greeting = [], replies = [], onFrame } = script;
  return (socket) => {
    socket.once('data', (request: Buffer) => {
      const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(request.toString()) ?? [];
      const digest = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      const head = `HTTP/1.1 ${status}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept ?? digest}\r\n`;
      socket.write(Buffer.concat([Buffer.from(`${head}${more}\r\n`), ...greeting]));
      socket.once('data', (bytes: Buffer) => {
        onFrame?.(read(bytes));
        for (const reply of replies) socket.write(reply);
      });
    });
  };
}

describe('WebsocketFields', () => {
  const url = 'wss://example.com/live';
  it.each([
    [{ url: 'https://example.com/' }, '/url invalid_value'],
    [{ url: 'ws://user:pass@example.com/' }, '/url invalid_value'],
    [{ url: 'wss:example.com' }, '/url invalid_value'],
    [{ settings: { subprotocol: 'a b' } }, '/settings/subprotocol matches'],
    [{ headers: { Connection: 'x' } }, '/headers invalid_value'],
    [{ settings: { expect: 'a', expectMatches: 'b' } }, '/settings/expect invalid_value'],
  ])('rejects %j with %s', (more, problem) => expect(problemsOf(WebsocketFields, { url, ...more })).toContain(problem));

  it('shows its target without the query, and treats headers as secret by their names', () => {
    expect(websocketProbe.target({ url: 'wss://example.com:8443/live?token=x' })).toBe('wss://example.com:8443/live');
    expect(websocketProbe.secretPaths({ url, headers: { Cookie: 'a', 'X-A': 'b' } })).toEqual([['headers', 'Cookie']]);
  });
});

describe('the WebSocket probe', () => {
  it('passes if the connection is accepted', async () => {
    const { port, received, idle } = await startScript(websocketServer());
    const outcome = await runCheck('websocket', { url: `ws://127.0.0.1:${port}/a?b=c`, headers: { 'X-A': '1' } });
    expect(outcome).toMatchObject({ error: null, statusCode: 101, responseTimeMs: expect.any(Number) });
    const request = String(received[0]);
    expect(request).toMatch(/^GET \/a\?b=c HTTP\/1\.1\r\n/);
    expect(request).toContain(`Host: 127.0.0.1:${port}\r\n`);
    expect(request).toContain('X-A: 1\r\n');
    expect(request).toContain('Connection: Upgrade\r\n');
    await idle();
  });

  it.each<[string, object, Script]>([
    ['any message', { send: 'ping' }, { replies: [frame(1, 'x')] }],
    ['the expected text', { send: 'ping', expect: 'pong' }, { replies: [frame(1, 'other'), frame(1, 'a pong')] }],
    [
      'a message in parts',
      { send: 'ping', expect: 'pong' },
      { replies: [frame(1, 'po', false), frame(9, ''), frame(0, 'ng')] },
    ],
    ['a long message', { send: 'ping', expect: 'pong' }, { replies: [frame(1, `${'x'.repeat(300)}pong`)] }],
    ['a pattern', { send: 'ping', expectMatches: '^p.ng$' }, { replies: [frame(1, 'pong')] }],
    ['a greeting', { expect: 'welcome' }, { greeting: [frame(1, 'welcome')] }],
  ])('passes on %s', async (_, settings, script) => {
    const { port } = await startScript(websocketServer(script));
    expect((await runCheck('websocket', { url: `ws://127.0.0.1:${port}/`, settings })).error).toBeNull();
  });

  it.each([
    [
      { send: 'ping', expect: 'x' },
      { opcode: 1, payload: 'ping', isMasked: true },
    ],
    [
      { send: '7069 6e67', expect: '78', encoding: 'hex' },
      { opcode: 2, payload: 'ping', isMasked: true },
    ],
  ])('sends %j as a frame', async (settings, sent) => {
    const frames: unknown[] = [];
    const script = { replies: [frame(1, 'x')], onFrame: (one: unknown) => frames.push(one) };
    const { port } = await startScript(websocketServer(script));
    expect((await runCheck('websocket', { url: `ws://127.0.0.1:${port}/`, settings })).error).toBeNull();
    expect(frames).toEqual([sent]);
  });

  it.each<[string, object, Script, string]>([
    ['another status', {}, { status: '403 Forbidden' }, 'unexpected_status'],
    ['a missing confirmation', {}, { accept: 'x' }, 'protocol_error'],
    ['a missing subprotocol', { subprotocol: 'mqtt' }, {}, 'unexpected_response'],
    ['another message', { send: 'a', expect: 'b' }, { replies: [frame(1, 'c')] }, 'unexpected_response'],
    [
      'another message and an end',
      { send: 'a', expect: 'b' },
      { replies: [frame(1, 'c'), frame(8, '')] },
      'unexpected_response',
    ],
    ['an end', { send: 'a', expect: 'b' }, { replies: [frame(8, '')] }, 'connection_reset'],
    ['no message', { send: 'a' }, {}, 'timeout'],
    ['a masked frame', { send: 'a' }, { replies: [Buffer.from([0x81, 0x80, 0, 0, 0, 0])] }, 'protocol_error'],
    ['a reserved bit', { send: 'a' }, { replies: [Buffer.from([0xc1, 0])] }, 'protocol_error'],
    ['a continuation of nothing', { send: 'a' }, { replies: [frame(0, 'x')] }, 'protocol_error'],
    ['a long control frame', { send: 'a' }, { replies: [frame(9, 'x'.repeat(200))] }, 'protocol_error'],
    [
      'an endless frame',
      { send: 'a' },
      { replies: [Buffer.from('817fffffffffffffffff', 'hex')] },
      'response_too_large',
    ],
  ])('fails on %s', async (_, settings, script, code) => {
    const { port, idle } = await startScript(websocketServer(script));
    const outcome = await runCheck('websocket', { url: `ws://127.0.0.1:${port}/`, settings }, { timeoutMs: 500 });
    expect(outcome.error?.code).toBe(code);
    await idle();
  });

  it('answers pings', async () => {
    const pongs: unknown[] = [];
    const script: Script = { greeting: [frame(9, 'a'), frame(1, 'welcome')], onFrame: (one) => pongs.push(one) };
    const { port } = await startScript(websocketServer(script));
    const settings = { expect: 'welcome' };
    expect((await runCheck('websocket', { url: `ws://127.0.0.1:${port}/`, settings })).error).toBeNull();
    expect(pongs).toEqual([{ opcode: 10, payload: 'a', isMasked: true }]);
  });

  it.each([
    ['pings', '8900', 'protocol_error'],
    ['pongs', '8a00', 'response_too_large'],
    ['messages', '8100', 'response_too_large'],
  ])('fails on countless %s without waiting for the deadline', async (_, empty, code) => {
    const greeting = [Buffer.alloc(1_000_000, empty, 'hex')];
    const { port, idle } = await startScript(websocketServer({ greeting }));
    const fields = { url: `ws://127.0.0.1:${port}/`, settings: { expect: 'welcome' } };
    expect((await runCheck('websocket', fields, { timeoutMs: 60_000 })).error?.code).toBe(code);
    await idle();
  });

  it('uses TLS, and the subprotocol', async () => {
    const more = 'Sec-WebSocket-Protocol: mqtt\r\n';
    const { port } = await startScript(websocketServer({ more }), testCertificate('valid'));
    const outcome = await runCheck('websocket', { url: `wss://localhost:${port}/`, settings: { subprotocol: 'mqtt' } });
    expect(outcome).toMatchObject({ error: null, timings: { tlsMs: expect.any(Number) } });
  });
});
