import { describe, expect, it } from '@jest/globals';
import { messageOf } from '../../test/support/channel-messages.js';
import { testEgress } from '../../test/support/probe-run.js';
import { type ChannelContext, type ChannelDefinition, type Delivery } from './channel.js';
import { deliver } from './deliver.js';
import { gotifyChannel, type GotifyFields } from './gotify.channel.js';

const TOKEN = 'AbCdEfGhIjKlMnO';
const HOOK = 'https://hooks.example/services/T0000/B0000/secretsecret';

const MESSAGE = messageOf();
const EGRESS = testEgress();

/** Sends by a channel that differs from a real one in how it sends. */
function deliverBy(
  send: (context: ChannelContext) => Promise<Delivery>,
  changes: Partial<ChannelDefinition<GotifyFields>> = {},
  fields: GotifyFields = { serverUrl: 'https://gotify.example', appToken: TOKEN },
): Promise<Delivery> {
  const channel = {
    ...gotifyChannel,
    ...changes,
    send: (_: unknown, __: unknown, context: ChannelContext) => send(context),
  };
  return deliver(channel, MESSAGE, fields, { egress: EGRESS, mail: null, timeoutMs: 50 });
}

const failure = (error: string): Delivery => {
  return { status: 'failed', permanent: true, retryAfterMs: null, statusCode: 403, error };
};

describe('deliver', () => {
  it.each([
    [Object.assign(new Error('too many open files'), { code: 'EMFILE' }), 'The message could not be sent (EMFILE).'],
    [new TypeError(`unexpected ${TOKEN}`), 'The message could not be sent.'],
  ])('turns the fault %s of this service into a failure that can be retried', async (fault, error) => {
    expect(await deliverBy(() => Promise.reject(fault))).toEqual({
      ...failure(error),
      permanent: false,
      statusCode: null,
    });
  });

  it('does not wait for a channel that ignores its deadline', async () => {
    const delivery = await deliverBy(() => new Promise(() => undefined));
    expect(delivery).toMatchObject({ status: 'failed', permanent: false });
  });

  it('ends the deadline of a channel that has settled, so that it closes what it left open', async () => {
    let seen: ChannelContext | null = null;
    await deliverBy((context) => {
      seen = context;
      return Promise.resolve(failure('No.'));
    });
    expect(seen!.deadline.isOver).toBe(true);
  });

  it.each([
    [`The token ${TOKEN} is unknown.`, 'The token ******** is unknown.'],
    ['One\r\nline only.', 'One line only.'],
    ['x'.repeat(400), `${'x'.repeat(299)}…`],
  ])('reports %j as %j', async (error, expected) => {
    expect(await deliverBy(() => Promise.resolve(failure(error)))).toEqual(failure(expected));
  });

  it.each([
    [`No route to ${HOOK}.`, 'No route to ********.'],
    ['The hook secretsecret is unknown.', 'The hook ******** is unknown.'],
    ['The services are down.', 'The services are down.'],
    [`${encodeURIComponent(HOOK)} failed.`, '******** failed.'],
  ])('reports %j of a secret address as %j', async (error, expected) => {
    const secret = { secretPaths: () => [['serverUrl']] };
    const fields = { serverUrl: HOOK, appToken: TOKEN };
    expect(await deliverBy(() => Promise.resolve(failure(error)), secret, fields)).toEqual(failure(expected));
  });

  it('hides the parts of a secret address in the ten-thousandth error as in the first', async () => {
    const secret = { secretPaths: () => [['serverUrl']] };
    const fields = { serverUrl: 'https://bücher.example/secretsecret', appToken: TOKEN };
    const act = () => Promise.resolve(failure('The hook secretsecret is unknown.'));
    const shown = new Set<string>();
    for (let i = 0; i < 10_000; i += 1) shown.add(JSON.stringify(await deliverBy(act, secret, fields)));
    expect([...shown]).toEqual([JSON.stringify(failure('The hook ******** is unknown.'))]);
  });
});
