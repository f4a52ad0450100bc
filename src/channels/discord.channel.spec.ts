import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { discordChannel } from './discord.channel.js';

const receiver = useReceiver();
const PATH = '/api/webhooks/123456789012345678/aBcDeFgHiJkLmNoPqRsTuVwXyZ';
const fieldsOf = () => ({ url: receiver.origin + PATH });

interface Body {
  content?: string;
  allowed_mentions: { parse: string[] };
  embeds: { title: string; description?: string; url?: string; color: number; timestamp: string; fields?: object[] }[];
}

/** Answers as Discord does: with the message, or 400 where a documented limit is exceeded. */
function discord({ method, path, query, json }: Received): Reply {
  if (path !== PATH) return { status: 404, json: { message: 'Unknown Webhook', code: 10_015 } };
  const { content = '', embeds } = json as Body;
  const isValid = embeds.every(({ title, description = '', color, fields = [] }) => {
    const total = title.length + description.length;
    return (
      title.length <= 256 && description.length <= 4_096 && total <= 6_000 && color <= 0xffffff && fields.length <= 25
    );
  });
  if (method !== 'POST' || content.length > 2_000 || embeds.length > 10 || !isValid) {
    return { status: 400, json: { message: 'Invalid Form Body', code: 50_035 } };
  }
  return query.get('wait') === 'true' ? { json: { id: '1234567890', type: 0 } } : { status: 204 };
}

describe('the channel discord', () => {
  it.each(Object.entries(MESSAGES))('sends a message that Discord accepts: %s', async (_, message) => {
    receiver.answer(discord);
    expect(await sendBy(discordChannel, fieldsOf(), message)).toEqual({
      status: 'sent',
      providerId: '1234567890',
      statusCode: 200,
    });
    expect((receiver.only.json as Body).allowed_mentions).toEqual({ parse: [] });
  });

  it('shows what happened, with links', async () => {
    receiver.answer(discord);
    await sendBy(discordChannel, fieldsOf());
    const [embed] = (receiver.only.json as Body).embeds;
    expect(embed!.title).toBe('DOWN Checkout API\\: status 503 since 15\\:58 UTC');
    expect(embed!.url).toBe(messageOf().links.incident);
    expect(embed!.description).toContain(`[Acknowledge](${messageOf().links.acknowledge})`);
    expect(embed!.color).toBe(0xd92d20);
  });

  it('escapes names', async () => {
    receiver.answer(discord);
    await sendBy(discordChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name: MARKUP })] }));
    const { title } = (receiver.only.json as Body).embeds[0]!;
    expect(title).toContain('\\*a\\* \\_b\\_ \\~c\\~ \\`d\\`');
    expect(title).toContain('\\[g\\]\\(https\\:');
    expect(title).not.toMatch(/@everyone|(?<!\\)<[@!]/);
  });

  it('leaves letters and emojis of any script whole', async () => {
    receiver.answer(discord);
    const name = 'हिन्दी 👩‍👩‍👧 ❤️';
    await sendBy(discordChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name })] }));
    expect((receiver.only.json as Body).embeds[0]!.title).toContain(`DOWN ${name}\\: `);
  });

  it('never ends a text within an escape', async () => {
    receiver.answer(discord);
    await sendBy(discordChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name: '*'.repeat(200) })] }));
    const { title } = (receiver.only.json as Body).embeds[0]!;
    expect(title.replace(/\\./gu, '')).not.toContain('\\');
  });

  it.each<[Reply, object]>([
    [
      { status: 429, json: { message: 'You are being rate limited.', retry_after: 1.25, global: false } },
      { permanent: false, retryAfterMs: 1_250 },
    ],
    [
      { status: 429, headers: { 'Retry-After': '3' } },
      { permanent: false, retryAfterMs: 3_000 },
    ],
    [
      { status: 404, json: { message: 'Unknown Webhook', code: 10_015 } },
      { permanent: true, error: 'The receiver refused the message (status 404): Unknown Webhook.' },
    ],
    [{ status: 401, json: { message: 'Invalid Webhook Token', code: 50_027 } }, { permanent: true }],
    [{ status: 502, text: '<html>' }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(discordChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
