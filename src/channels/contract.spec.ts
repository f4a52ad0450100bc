import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { readFileSync } from 'node:fs';
import { MESSAGES, sendBy } from '../../test/support/channel-messages.js';
import { eventually } from '../../test/support/eventually.js';
import { PATIENCE } from '../../test/support/patience.js';
import { type Reply, useReceiver } from '../../test/support/receiver.js';
import { type ChannelDefinition } from './channel.js';
import { channelOf, CHANNELS } from './index.js';
import { createSmtpMailer } from './mail/smtp-mailer.js';

type Settings = Record<string, unknown>;

const receiver = useReceiver();

/** Returns valid settings whose addresses are those of the receiver. */
function settingsOf(channel: ChannelDefinition): Settings {
  const all: Settings = { ...channel.defaults, ...channel.generate?.(), ...channel.example.settings };
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    return typeof value === 'string' ? value.replace(/^https?:\/\/[^/?]+/, receiver.origin) : value;
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, moved(value)]));
}

function secretsOf(channel: ChannelDefinition, settings: Settings): string[] {
  return channel.secretPaths(settings).flatMap((path) => {
    const value = path.reduce<unknown>((at, step) => (at as Settings | undefined)?.[step], settings);
    return typeof value === 'string' ? [value] : [];
  });
}

/** What the answers of all providers have in common where they accept a message. */
const ACCEPTED = { ok: true, success: true, status: 1, id: '1', result: { message_id: 1 }, request: '1' };

/** Returns an answer that quotes secrets wherever a provider explains a refusal. */
function quoting(status: number, secrets: readonly string[]): Reply {
  const quoted = secrets.map((one) => `${one} ${encodeURIComponent(one)}`).join(' ');
  const [first = ''] = secrets;
  const words = { message: quoted, description: quoted, errors: [quoted], msg: quoted, errorDescription: quoted };
  return { status, json: { ...words, error: quoted, path: URL.canParse(first) ? new URL(first).pathname : first } };
}

const REPLIES: Readonly<Record<string, (secrets: readonly string[]) => Reply>> = {
  'a success': () => ({ json: ACCEPTED }),
  'a limit of the rate': (secrets) => quoting(429, secrets),
  'a refused login': (secrets) => quoting(401, secrets),
  'an unknown address': (secrets) => quoting(404, secrets),
  'a fault': (secrets) => quoting(500, secrets),
  'no answer': () => 'hang',
  'a broken connection': () => 'reset',
  'an endless answer': () => 'huge',
};

const SENT = Object.entries(MESSAGES).filter(([name]) => {
  return ['trigger', 'resolve', 'storm', 'long names', 'markup', 'test'].includes(name);
});

describe.each(CHANNELS.map((channel) => [channel.type, channel] as const))('the channel %s', (type, channel) => {
  it('is found by its type, and is described for people', () => {
    expect(channelOf(type)).toBe(channel);
    expect(type).toMatch(/^[a-z][a-z_]*$/);
    expect(channel.summary).toMatch(/^[A-Z].*\.$/);
    expect(channel.label.length * channel.form.gist.length).toBeGreaterThan(0);
  });

  it('has a control for each secret that it generates, so that the application can show it', () => {
    const settings = settingsOf(channel);
    const rotated = Object.entries(channel.rotate?.(settings, new Date(0)) ?? {}).filter(([name, value]) => {
      return value !== settings[name] && !channel.setByRotation?.includes(name);
    });
    const generated = [...Object.keys(channel.generate?.() ?? {}), ...rotated.map(([name]) => name)];
    const controls = [...channel.form.essential, ...(channel.form.advanced ?? [])].filter(({ secret }) => secret);
    expect(controls.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(generated.map((name) => `/${name}`)));
  });

  it('has a valid example, in which everything required has a control', () => {
    const { settings } = channel.example;
    expect(
      validateSync(plainToInstance(channel.fields, settings), { whitelist: true, forbidNonWhitelisted: true }),
    ).toEqual([]);
    const controls = [...channel.form.essential, ...(channel.form.advanced ?? [])];
    const pointers = controls.map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(Object.keys(settings).map((name) => `/${name}`)));
    for (const { pointer, required } of controls) {
      const others = Object.fromEntries(Object.entries(settings).filter(([name]) => `/${name}` !== pointer));
      const errors = validateSync(plainToInstance(channel.fields, others));
      expect([pointer, errors.length > 0]).toEqual([pointer, required === true]);
    }
  });

  it('refuses settings that are missing or of a wrong type', () => {
    for (const [name, value] of Object.entries(channel.example.settings)) {
      const wrong = { ...channel.example.settings, [name]: typeof value === 'number' ? 'x' : 1 };
      expect(validateSync(plainToInstance(channel.fields, wrong)).map(({ property }) => property)).toEqual([name]);
    }
  });

  it('names its secrets and hides each of them in the form', () => {
    const controls = [...channel.form.essential, ...(channel.form.advanced ?? [])];
    const secrets = new Set(channel.secretPaths(channel.example.settings).map(([name]) => `/${name}`));
    for (const { pointer, secret, kind } of controls) {
      if (kind !== 'headers') expect([pointer, secret === true]).toEqual([pointer, secrets.has(pointer)]);
    }
    // It is also called with input that nobody has validated.
    for (const input of [{}, { headers: 1 }, { headers: null }, { url: 5 }])
      expect(channel.secretPaths(input)).toBeInstanceOf(Array);
  });

  it('names the hosts that it connects to', () => {
    const settings = settingsOf(channel);
    const hosts = channel.hosts(settings).map(({ host }) => host);
    expect(new Set(hosts)).toEqual(new Set(type === 'email' ? [] : ['127.0.0.1']));
    if (type !== 'email') expect(channel.secretScope(settings)).toContain(receiver.origin);
  });

  it.each(Object.entries(REPLIES))('copes with %s', async (name, replyTo) => {
    const settings = settingsOf(channel);
    const secrets = secretsOf(channel, settings);
    receiver.answer(replyTo(secrets));
    // A receiver that speaks another protocol: it never greets.
    const mail = createSmtpMailer({ url: `smtp://127.0.0.1:${receiver.port}`, from: 'alerts@example.com' });
    const isSlow = name === 'no answer' || type === 'email';
    const timeoutMs = isSlow ? 300 : 20_000;
    const startedAt = performance.now();
    // Reading as much of an endless answer as is permitted takes time, whatever the message.
    const sent = name === 'an endless answer' ? SENT.slice(0, 1) : SENT;
    const deliveries = await Promise.all(
      sent.map(([, message]) => sendBy(channel, settings, message, { timeoutMs, mail })),
    );
    if (isSlow) expect(performance.now() - startedAt).toBeLessThan(5_000 * PATIENCE);

    const isSent = name === 'a success' && type !== 'email';
    const leaks = secrets.flatMap((one) => (URL.canParse(one) ? [one, new URL(one).pathname] : [one]));
    for (const delivery of deliveries) {
      if (name !== 'an endless answer') expect(delivery.status).toBe(isSent ? 'sent' : 'failed');
      if (delivery.status === 'sent') continue;
      expect(delivery.error).toMatch(/^[A-Z].{9,299}$/);
      for (const leak of leaks) expect(delivery.error).not.toContain(leak);
      if (/refused login|unknown address/.test(name) && type !== 'email') expect(delivery.permanent).toBe(true);
      if (/limit|fault|no answer|broken/.test(name)) expect(delivery.permanent).toBe(false);
    }
    await eventually(() => expect(receiver.open).toBe(0));
  });
});

it('offers each type and each example once', () => {
  expect(new Set(CHANNELS.map(({ type }) => type)).size).toBe(CHANNELS.length);
  expect(new Set(CHANNELS.map(({ example }) => example.key)).size).toBe(CHANNELS.length);
});

it('offers the types in the table of docs/alerting.md', () => {
  const [, table] = /\n## Channels\n\n.*\n.*\n((?:\|.*\n)*)/.exec(readFileSync('docs/alerting.md', 'utf8'))!;
  expect(table).toBe(CHANNELS.map(({ type, summary }) => `| \`${type}\` | ${summary} |\n`).join(''));
});
