import { Icon } from '../html/icon.js';
import { NOTIFICATIONS_PATH } from '../notifications/channel-form.js';

/** A team with more monitors has found its way. */
const MOST_MONITORS = 5;

export interface Progress {
  monitorCount: number;
  hasResults: boolean;
  hasStatusPage: boolean;
  hasChannel: boolean;
  /** Whether the reader may invite others. */
  mayInvite: boolean;
}

/** Returns whether the overview should show what comes next. */
export function isBeginning({
  monitorCount,
  hasStatusPage,
}: Pick<Progress, 'monitorCount' | 'hasStatusPage'>): boolean {
  return monitorCount <= MOST_MONITORS && !hasStatusPage;
}

/** The first steps with Daywatch, as far as they are done. Each can be skipped, in any order. */
export function NextSteps({
  hasResults,
  hasChannel,
  mayInvite,
}: Pick<Progress, 'hasResults' | 'hasChannel' | 'mayInvite'>) {
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps">Next steps</h2>
      <ul class="entries steps">
        <Step isDone label="Create your first monitor" href="/monitors/new" />
        <Step isDone={hasResults} label="See its first result" href="/monitors" />
        <Step isDone={hasChannel} label="Create a notification channel" href={`${NOTIFICATIONS_PATH}/new`} />
        <Step isDone={false} label="Create a status page" href="/status-pages/new" />
        {mayInvite && <Step isDone={false} label="Invite your team" href="/settings/team" />}
        <Step isDone={false} label="Create an API key for your pipelines" href="/settings/api-keys" />
      </ul>
    </section>
  );
}

function Step({ isDone, label, href }: { isDone: boolean; label: string; href: string }) {
  return (
    <li>
      <Icon name={isDone ? 'check' : 'chevron-right'} />
      {isDone ? (
        <span class="quiet">
          {label}
          <span class="hidden"> (done)</span>
        </span>
      ) : (
        <a href={href}>{label}</a>
      )}
    </li>
  );
}
