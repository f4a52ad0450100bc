import { Browser } from './browser.js';
import { eventually } from './eventually.js';
import { expect } from '@jest/globals';
import { type Accepted, partOf } from './mail-server.js';
import { hasten, type MailingApp, mailsTo } from './mailing-app.js';

const LINK = /http[^\s<"]+(\/status\/_\/subscriptions\/[\w-]{43})\/(preferences|unsubscribe)/;

/** Returns the path of a link in a mail, which its text and its HTML must contain. */
export function subscriptionPath({ raw }: Accepted, page: 'preferences' | 'unsubscribe' = 'preferences'): string {
  const found = LINK.exec(partOf(raw, 'text/plain'))!;
  expect(partOf(raw, 'text/html')).toContain(`href="${found[0]}"`);
  return `${found[1]!}/${page}`;
}

/** Enters an address in the form of a page, from a client address of its own. */
export function enterAddress(
  { app }: MailingApp,
  slug: string,
  email: string,
  client: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const sent = { 'x-forwarded-for': client, ...headers };
  return new Browser(app.origin).call('POST', `/status/${slug}/subscriptions`, { form: { email }, headers: sent });
}

/** Waits for the mails to an address. Returns them, oldest first. */
export function mailed(mailing: MailingApp, email: string, count: number): Promise<Accepted[]> {
  return eventually(async () => {
    await hasten(mailing);
    const mails = mailsTo(mailing.accepted, email);
    expect(mails).toHaveLength(count);
    return mails;
  });
}

/** Subscribes an address as its owner does. Returns the path of the link. */
export async function subscribe(mailing: MailingApp, slug: string, email: string, client: string): Promise<string> {
  const before = mailsTo(mailing.accepted, email).length;
  expect((await enterAddress(mailing, slug, email, client)).status).toBe(303);
  const mails = await mailed(mailing, email, before + 1);
  const path = subscriptionPath(mails.at(-1)!);
  const browser = new Browser(mailing.app.origin);
  await browser.open(path);
  expect((await browser.submit(path, { components: 'all' })).html).toContain('You are subscribed.');
  return path;
}
