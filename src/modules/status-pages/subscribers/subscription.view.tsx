import { type ComponentChildren } from 'preact';
import { type Theme } from '../dto/create-status-page.dto.js';
import { document } from '../html/layout.js';
import { type EnteredSubscription, SubscribeForm } from '../html/subscribe-form.js';
import { type PageAddress } from '../page-address.js';
import { type StatusPage } from '../status-page.entity.js';
import { type Subscriber } from './subscriber.entity.js';
import { type SubscriptionPaths } from './subscriber-links.js';
import { type FormFault } from './subscription-form.js';
import { type Subscription } from './subscriptions.service.js';
import { webhookFault, WebhookField, WebhookSection } from './webhooks/webhook.view.js';

type ShownPage = Pick<StatusPage, 'name' | 'theme' | 'accentColor'>;

/** Renders the page on which a visitor enters an address. */
export function renderSubscribe(page: ShownPage, address: PageAddress, entered: EnteredSubscription = {}): string {
  return subscriptionPage(page, 'Subscribe to updates', address.home, [
    <p>Get notified when an incident or maintenance is announced on this page.</p>,
    <SubscribeForm address={address} {...entered} />,
  ]);
}

/** Renders what every request for a subscription is answered with. */
export function renderRequested(page: ShownPage, address: PageAddress): string {
  return subscriptionPage(page, 'Check your inbox', address.home, [
    <p>
      We have sent an email to the address that you entered. To subscribe, open the link in it within two days. If it
      does not arrive, check your spam folder.
    </p>,
  ]);
}

/** What a subscriber has just done. */
export type Done = 'saved' | 'confirmed' | null;

export interface PreferencesProps {
  subscription: Subscription;
  paths: SubscriptionPaths;
  home: string;
  done: Done;
  fault: FormFault | null;
}

/**
 * Renders the page on which one confirms a subscription, chooses components, or leaves. Opening it changes nothing. While
 * the status page is not published, it shows no more than its name, and one can only leave.
 */
export function renderPreferences(props: PreferencesProps): string {
  const { subscription, paths, home, done, fault } = props;
  const { page, subscriber, webhook } = subscription;
  const isPending = subscriber.status === 'pending';
  const stopped = STOPPED[subscriber.status];
  const title = isPending ? 'Confirm your subscription' : 'Your subscription';
  return subscriptionPage(page, title, page.published ? home : null, [
    !page.published && <p role="status">This page is not published at the moment. Until it is, it sends no updates.</p>,
    done !== null && <p role="status">{done === 'saved' ? 'Subscription saved.' : 'You are subscribed.'}</p>,
    stopped ? (
      <p role="status">{stopped}</p>
    ) : (
      <p>
        {webhook?.status === 'active' ? 'Emails about this subscription' : 'Updates from this page'} are sent to{' '}
        <strong dir="auto">{subscriber.email}</strong>
        {isPending ? ' once you confirm.' : '.'}
      </p>
    ),
    page.published && (
      <form method="post" action={paths.preferences} class="subscription">
        <ComponentChoice subscription={subscription} fault={fault?.field === 'components' ? fault.text : null} />
        {isPending && <WebhookField url={fault?.webhook ?? webhook?.url} fault={webhookFault(fault)} />}
        <button class="button" type="submit">
          {isPending ? 'Confirm subscription' : 'Save'}
        </button>
      </form>
    ),
    page.published && !isPending && <WebhookSection webhook={webhook} paths={paths} fault={fault} />,
    <form method="post" action={paths.unsubscribe} class="subscription">
      <button class="button plain" type="submit">
        {isPending ? 'Do not subscribe' : 'Unsubscribe'}
      </button>
    </form>,
  ]);
}

const STOPPED: Readonly<Partial<Record<Subscriber['status'], string>>> = {
  bounced: 'Delivery is suspended, because an email to this address bounced. The owner of this page can add you again.',
  complained: 'Delivery has stopped, because an email to this address was reported as spam.',
};

/** Renders the page that the link "Unsubscribe" opens: one click leaves. */
export function renderUnsubscribe({ subscription, paths, home }: Omit<PreferencesProps, 'done' | 'fault'>): string {
  const { page, subscriber } = subscription;
  return subscriptionPage(page, 'Unsubscribe', page.published ? home : null, [
    <p>
      <strong dir="auto">{subscriber.email}</strong> will no longer receive updates from this page, and the address will
      be erased.
    </p>,
    <form method="post" action={paths.unsubscribe} class="subscription">
      <button class="button" type="submit">
        Unsubscribe
      </button>
    </form>,
    page.published && (
      <p>
        <a href={paths.preferences}>Choose components instead</a>
      </p>
    ),
  ]);
}

/** Renders the page after somebody has left. */
export function renderLeft(page: ShownPage): string {
  return subscriptionPage(page, 'You are unsubscribed', null, [
    <p>Your address has been erased. You will receive no further updates.</p>,
  ]);
}

/** Renders the response to a link that is unknown or has expired, or whose subscriber has left. */
export function renderUnknownSubscription(): string {
  return document({
    title: 'Link not found',
    icon: 'unknown',
    theme: 'auto',
    children: (
      <main class="page notice">
        <h1>Link not found</h1>
        <p>
          The link may be incomplete or have expired, or you have already unsubscribed. To subscribe again, use the form
          on the status page.
        </p>
      </main>
    ),
  });
}

function ComponentChoice({ subscription, fault }: { subscription: Subscription; fault: string | null }) {
  const { components, subscriber } = subscription;
  const chosen = subscriber.componentIds === null ? null : new Set(subscriber.componentIds);
  if (components.length === 0) return null;
  return (
    <fieldset aria-describedby={fault === null ? undefined : 'fault'}>
      <legend>Components</legend>
      {fault !== null && (
        <p id="fault" class="fault" role="alert">
          {fault}
        </p>
      )}
      <label>
        <input type="radio" name="components" value="all" checked={chosen === null && fault === null} /> All, including
        those that are added later
      </label>
      <label>
        <input type="radio" name="components" value="some" checked={chosen !== null || fault !== null} /> Only these:
      </label>
      <ul>
        {components.map(({ id, name }) => (
          <li key={id}>
            <label>
              <input type="checkbox" name="component" value={id} checked={chosen?.has(id) ?? false} />{' '}
              <span dir="auto">{name}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function subscriptionPage(page: ShownPage, title: string, home: string | null, children: ComponentChildren[]): string {
  return document({
    title: `${title} · ${page.name}`,
    icon: 'unknown',
    theme: page.theme as Theme,
    accentColor: page.accentColor,
    children: (
      <main class="page notice">
        <p class="quiet" dir="auto">
          {home === null ? page.name : <a href={home}>{page.name}</a>}
        </p>
        <h1>{title}</h1>
        {children}
      </main>
    ),
  });
}
