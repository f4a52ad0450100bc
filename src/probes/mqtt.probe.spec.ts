import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { dialogue } from '../../test/support/scripted-server.js';
import { MqttFields } from './mqtt.probe.js';

stopsServers();
const host = '127.0.0.1';
const CONNACK = Buffer.from([0x20, 2, 0, 0]);
const SUBACK = Buffer.from([0x90, 3, 0, 1, 0]);

function publish(payload: string, flags = 0): Buffer {
  const topic = Buffer.from('\0\x03a/b');
  const id = flags & 0x06 ? Buffer.from([0, 9]) : Buffer.alloc(0);
  const content = Buffer.concat([topic, id, Buffer.from(payload)]);
  const length = content.length < 128 ? [content.length] : [(content.length & 0x7f) | 0x80, content.length >> 7];
  return Buffer.concat([Buffer.from([0x30 | flags, ...length]), content]);
}

describe('MqttFields', () => {
  it.each([
    [{ topic: '' }, '/settings/topic minLength'],
    [{ topic: 'x'.repeat(1_001) }, '/settings/topic maxLength'],
    [{ username: 1 }, '/settings/username isString'],
    [{ password: 'geheim' }, '/settings/password invalid_value'],
  ])('rejects %j with %s', (settings, problem) =>
    expect(problemsOf(MqttFields, { host, settings })).toContain(problem),
  );
});

describe('the MQTT probe', () => {
  it('signs in and out', async () => {
    const { port, received, idle } = await startScript(dialogue(null, CONNACK));
    const settings = { username: 'mon', password: 'geheim' };
    expect((await runCheck('mqtt', { host, port, settings })).error).toBeNull();
    await idle();
    const connect = received[0]!.toString('latin1', 2, 50);
    expect(connect).toMatch(/daywatch-[0-9a-f]{14}/);
    expect(connect.replace(/[0-9a-f]{14}/, '')).toBe('\0\x04MQTT\x04\xc2\0<\0\x17daywatch-\0\x03mon\0\x06geheim');
  });

  it.each([
    ['a retained message', Buffer.concat([SUBACK, publish('21.5')])],
    ['a message before the confirmation', Buffer.concat([publish('21.5'), SUBACK])],
    ['a message with an id', Buffer.concat([SUBACK, publish('21.5', 0x02)])],
  ])('reads %s', async (_, replies) => {
    const { port, received } = await startScript(dialogue(null, CONNACK, replies));
    const assertions = [{ source: 'value', comparison: 'greaterThan', target: 20 }];
    const outcome = await runCheck('mqtt', { host, port, settings: { topic: 'a/+' }, assertions });
    expect(outcome.error).toBeNull();
    expect(received[0]!.toString('latin1')).toContain('\x82\x08\0\x01\0\x03a/+\0');
  });

  it('reads a long message', async () => {
    const { port } = await startScript(dialogue(null, CONNACK, Buffer.concat([SUBACK, publish('x'.repeat(500))])));
    const assertions = [{ source: 'value', comparison: 'equals', target: 'x'.repeat(500) }];
    const outcome = await runCheck('mqtt', { host, port, settings: { topic: 'a' }, assertions });
    expect(outcome.error).toBeNull();
  });

  it.each<[string, Buffer[], object, string]>([
    ['a wrong password', [Buffer.from([0x20, 2, 0, 4])], {}, 'authentication_failed'],
    ['a missing permission', [Buffer.from([0x20, 2, 0, 5])], {}, 'authentication_failed'],
    ['a refused connection', [Buffer.from([0x20, 2, 0, 3])], {}, 'command_failed'],
    ['a refused subscription', [CONNACK, Buffer.from([0x90, 3, 0, 1, 0x80])], { topic: 'a' }, 'command_failed'],
    ['no message', [CONNACK, SUBACK], { topic: 'a' }, 'timeout'],
    ['another protocol', [Buffer.from('2\x02ab')], {}, 'protocol_error'],
    ['an endless length', [Buffer.from('20ffffffffff', 'hex')], {}, 'protocol_error'],
    ['a packet beyond the limit', [CONNACK, Buffer.from('30ffffff7f', 'hex')], { topic: 'a' }, 'response_too_large'],
  ])('fails on %s', async (_, replies, settings, code) => {
    const { port, idle } = await startScript(dialogue(null, ...replies));
    const outcome = await runCheck('mqtt', { host, port, settings }, { timeoutMs: 500 });
    expect(outcome.error?.code).toBe(code);
    await idle();
  });
});
