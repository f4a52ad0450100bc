import { type SubscriberWorker } from '../../src/modules/status-pages/subscribers/subscriber-worker.service.js';
import { startApp, type TestApp } from './app.js';
import { type Accepted, openMailServer, partOf, refusal } from './mail-server.js';

/** A service with a mail server that can be made to wait before it accepts mails. */
export interface MailingApp {
  app: TestApp;
  accepted: Accepted[];
  /** Makes the mail server wait with its answers. `release` gives them. */
  stall(): { waiting: () => number; release: () => void };
  /** Makes the mail server refuse mails for the time being, until the returned function is called. */
  defer(): () => void;
  close(): Promise<void>;
}

export async function startMailingApp(settings: Record<string, string> = {}): Promise<MailingApp> {
  let held: (() => void)[] | null = null;
  let isDeferring = false;
  const server = await openMailServer({
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_, __, done) => {
      if (isDeferring) done(refusal(451, 'Try again later'));
      else if (held === null) done(null);
      else held.push(() => done(null));
    },
  });
  const from = 'Daywatch <watch@daywatch.example>';
  const app = await startApp({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: from, ...settings });
  return {
    app,
    accepted: server.accepted,
    stall() {
      const stalled: (() => void)[] = [];
      held = stalled;
      return {
        waiting: () => stalled.length,
        release: () => {
          held = null;
          for (const answer of stalled) answer();
        },
      };
    },
    defer() {
      isDeferring = true;
      return () => (isDeferring = false);
    },
    async close() {
      await app.close();
      await server.close();
    },
  };
}

/** Lets the worker send what is due now, instead of within a second. */
export async function hasten({ app }: MailingApp): Promise<void> {
  await app.backstage.provider<SubscriberWorker>('SubscriberWorker').look();
}

/** Returns the mails to an address, oldest first. */
export function mailsTo(accepted: readonly Accepted[], email: string): Accepted[] {
  return accepted.filter(({ recipients }) => recipients.includes(email));
}

/** Returns the only link with this path in a mail, which its text and its HTML must contain. */
export function linkIn({ raw }: Accepted, path: string): URL {
  const found = new RegExp(`http[^\\s<"]+/${path}/[\\w-]{43}`).exec(partOf(raw, 'text/plain'))![0];
  if (!partOf(raw, 'text/html').includes(`href="${found}"`)) throw new Error(`the HTML does not link to ${found}`);
  return new URL(found);
}
