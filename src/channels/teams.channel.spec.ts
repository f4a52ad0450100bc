import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { teamsChannel } from './teams.channel.js';

const receiver = useReceiver();
const PATH = '/workflows/0123456789abcdef/triggers/manual/paths/invoke';
const fieldsOf = () => ({ url: `${receiver.origin}${PATH}?api-version=2016-06-01&sig=AbCdEfGhIjKlMnOpQrStUvWxYz` });

interface Body {
  type: string;
  attachments: {
    contentType: string;
    content: {
      type: string;
      version: string;
      body: { type: string; inlines: { type: string; text: string }[] }[];
      actions?: { type: string; title: string; url: string }[];
    };
  }[];
}

/** Answers as a workflow does: 202 without a body, or 400 if the body is no message with an Adaptive Card. */
function teams({ method, path, query, json, text }: Received): Reply {
  const unauthorized = { status: 401, json: { error: { code: 'DirectApiAuthorizationRequired', message: 'No.' } } };
  if (path !== PATH || query.get('sig') !== 'AbCdEfGhIjKlMnOpQrStUvWxYz') return unauthorized;
  const { type, attachments } = json as Body;
  const [card, ...others] = attachments;
  const isCard =
    card?.contentType === 'application/vnd.microsoft.card.adaptive' && card.content.type === 'AdaptiveCard';
  const isValid =
    method === 'POST' &&
    type === 'message' &&
    isCard &&
    others.length === 0 &&
    Buffer.byteLength(text) <= 28 * 1_024 &&
    card.content.body.every(
      (block) => block.type === 'RichTextBlock' && block.inlines.every((run) => run.type === 'TextRun'),
    ) &&
    (card.content.actions ?? []).every((action) => action.type === 'Action.OpenUrl' && URL.canParse(action.url));
  return isValid
    ? { status: 202 }
    : { status: 400, json: { error: { code: 'InvalidCard', message: 'Invalid card.' } } };
}

function textsOf(): string[] {
  const { content } = (receiver.only.json as Body).attachments[0]!;
  return content.body.map((block) => block.inlines.map((run) => run.text).join(''));
}

describe('the channel teams', () => {
  it.each(Object.entries(MESSAGES))('sends a card that a workflow accepts: %s', async (_, message) => {
    receiver.answer(teams);
    expect(await sendBy(teamsChannel, fieldsOf(), message)).toEqual({
      status: 'sent',
      providerId: null,
      statusCode: 202,
    });
  });

  it('shows what happened, with buttons', async () => {
    receiver.answer(teams);
    await sendBy(teamsChannel, fieldsOf());
    expect(textsOf().slice(0, 3)).toEqual([
      'DOWN Checkout API: status 503 since 15:58 UTC',
      'Reason: The response has status 503; expected 2xx.',
      'Since: 15:58 UTC',
    ]);
    const { actions } = (receiver.only.json as Body).attachments[0]!.content;
    expect(actions!.map((one) => one.title)).toEqual(['Open incident', 'Acknowledge', 'Open monitor', 'Runbook']);
  });

  it('leaves names as they are, because text runs have no markup', async () => {
    receiver.answer(teams);
    await sendBy(teamsChannel, fieldsOf(), messageOf({ note: MARKUP, monitors: [monitorOf()] }));
    expect(textsOf()[1]).toContain('*a* _b_ ~c~ `d`');
  });

  it.each<[Reply, object]>([
    [
      { status: 429, headers: { 'Retry-After': '16' } },
      { permanent: false, retryAfterMs: 16_000 },
    ],
    [
      { status: 404, json: { error: { code: 'WorkflowNotFound', message: 'The workflow could not be found.' } } },
      { permanent: true, error: 'The receiver refused the message (status 404): The workflow could not be found.' },
    ],
    [
      { status: 400, json: { error: { code: 'WorkflowTriggerIsNotEnabled', message: 'Disabled.' } } },
      { permanent: true },
    ],
    [{ status: 502 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(teamsChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
