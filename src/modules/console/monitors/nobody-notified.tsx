import { type ComponentChildren } from 'preact';
import { NOTIFICATIONS_PATH } from '../notifications/channel-form.js';
import { listPath } from './list-query.js';

interface NobodyNotifiedProps {
  mayWrite: boolean;
  hasChannel: boolean;
  /** Of what nobody is notified, and why. */
  children: ComponentChildren;
}

/** A warning that outages pass in silence, with the button that changes this. */
export function NobodyNotified({ mayWrite, hasChannel, children }: NobodyNotifiedProps) {
  return (
    <div class="warning nobody">
      <p>{children}</p>
      {mayWrite ? (
        <a class="button plain" href={hasChannel ? NOTIFICATIONS_PATH : `${NOTIFICATIONS_PATH}/new`}>
          {hasChannel ? 'Choose who is notified' : 'Create a channel'}
        </a>
      ) : (
        <a href={NOTIFICATIONS_PATH}>Notifications</a>
      )}
    </div>
  );
}

export interface Unheard {
  /** The number of monitors of whose outages nobody is notified. */
  unheardCount: number;
  hasChannel: boolean;
}

/** The warning about all monitors of the team of which nobody is notified, if there are any. */
export function UnheardMonitors({ unheardCount, hasChannel, total, mayWrite }: UnheardMonitorsProps) {
  if (unheardCount === 0) return null;
  const count = unheardCount === 1 ? '1 monitor' : `${unheardCount.toLocaleString('en')} monitors`;
  return (
    <NobodyNotified mayWrite={mayWrite} hasChannel={hasChannel}>
      {unheardCount < total ? (
        <strong>
          Nobody is notified of outages of <a href={listPath({ notified: false })}>{count}</a>.
        </strong>
      ) : (
        <>
          <strong>Nobody is notified of outages.</strong>{' '}
          {hasChannel ? 'No notification policy applies to your monitors.' : NO_CHANNEL}
        </>
      )}
    </NobodyNotified>
  );
}

interface UnheardMonitorsProps extends Unheard {
  total: number;
  mayWrite: boolean;
}

export const NO_CHANNEL = 'Your team has no notification channel yet.';
