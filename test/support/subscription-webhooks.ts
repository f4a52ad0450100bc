import { expect } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Browser } from './browser.js';
import { eventually } from './eventually.js';
import { hasten, type MailingApp, mailsTo } from './mailing-app.js';
import { type Received, type Receiver, type Reply } from './receiver.js';
import { mailed, subscriptionPath } from './subscribers.js';

/** A browser that reaches the service from a client address of its own. */
export class RemoteBrowser extends Browser {
  constructor(
    origin: string,
    private readonly client: string,
  ) {
    super(origin);
  }

  override call(...[method, path, { form, headers } = {}]: Parameters<Browser['call']>): Promise<Response> {
    return super.call(method, path, { form, headers: { 'x-forwarded-for': this.client, ...headers } });
  }
}

/** Somebody who subscribes with a webhook. */
export class WebhookReader {
  readonly browser: Browser;
  /** The paths of the pages and forms of the subscription, once the first mail has arrived. */
  path = '';

  constructor(
    private readonly mailing: MailingApp,
    readonly email: string,
    client: string,
  ) {
    this.browser = new RemoteBrowser(mailing.app.origin, client);
  }

  /** Enters both addresses in the form of a page. */
  async enter(slug: string, webhook: string): Promise<Response> {
    return this.browser.call('POST', `/status/${slug}/subscriptions`, { form: { email: this.email, webhook } });
  }

  /** Enters both addresses, and opens the page of the link that is mailed. */
  async request(slug: string, webhook: string): Promise<void> {
    const before = mailsTo(this.mailing.accepted, this.email).length;
    expect((await this.enter(slug, webhook)).status).toBe(303);
    const mails = await mailed(this.mailing, this.email, before + 1);
    this.path = subscriptionPath(mails.at(-1)!).replace('/preferences', '');
    await this.browser.open(`${this.path}/preferences`);
  }

  /** Subscribes by both, which sends the challenge. Returns the page of the subscription. */
  async join(slug: string, webhook: string, values: Record<string, string> = { components: 'all' }): Promise<string> {
    await this.request(slug, webhook);
    return (await this.browser.submit(`${this.path}/preferences`, values)).html;
  }

  /** Submits a form of the page of the subscription. Returns the page that it leads to. */
  async send(
    form: 'webhook' | 'webhook/challenge' | 'webhook/remove',
    values: Record<string, string> = {},
  ): Promise<string> {
    await this.browser.open(`${this.path}/preferences`);
    return (await this.browser.submit(`${this.path}/${form}`, values)).html;
  }

  /** The secret that the page of the subscription shows. */
  async secret(): Promise<string> {
    const { html } = await this.browser.open(`${this.path}/preferences`);
    return /whsec_[\w+/=]+/.exec(html)![0];
  }
}

export interface WebhookBody {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Returns what a request contains, whose signature must be that of the secret. */
export function verified(received: Received, secret: string): WebhookBody {
  return new Webhook(secret).verify(received.text, received.headers as Record<string, string>) as WebhookBody;
}

/** Answers challenges as they ask for, and everything else with `reply`. */
export function answering(reply: Reply | (() => Reply) = { status: 204 }): (received: Received) => Reply {
  return ({ json }) => {
    const { type, data } = json as WebhookBody;
    if (type === 'subscription.challenge') return { json: { challenge: data.challenge } };
    return typeof reply === 'function' ? reply() : reply;
  };
}

/** Waits until a receiver has got this many updates in all. Returns them, oldest first. */
export function updates(mailing: MailingApp, receiver: Receiver, count: number): Promise<Received[]> {
  return eventually(async () => {
    await hasten(mailing);
    const found = updatesSoFar(receiver);
    expect(found).toHaveLength(count);
    return found;
  });
}

export function updatesSoFar({ requests }: Receiver): Received[] {
  return requests.filter(({ json }) => (json as WebhookBody).type !== 'subscription.challenge');
}
