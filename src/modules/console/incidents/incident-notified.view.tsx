import { type ChannelOutcome } from '../../notifications/channel-outcomes.service.js';
import { Time } from '../html/time.js';
import { NOTIFICATIONS_PATH } from '../notifications/channel-form.js';
import { Entry } from './incident-entry.js';
import { INCIDENTS_PATH } from './incidents.view.js';
import { type NotificationGroup } from './notification-groups.js';
import { delayWords, outcomeTitle, outcomeTone, reasonWords } from './notification-words.js';

interface NotifiedProps {
  group: NotificationGroup;
  /** The page of the incident. */
  path: string;
}

/** More channels of one moment are counted. */
const CHANNELS_SHOWN = 6;

/** What became of the notifications of one moment, in the timeline of an incident. */
export function Notified({ group, path }: NotifiedProps) {
  const { at, lastAt, rounds, status, reason, outcomes } = group;
  const shown = outcomes.slice(0, CHANNELS_SHOWN);
  const others = outcomes.length - shown.length;
  const isUndelivered = status === 'pending' || status === 'failed';
  return (
    <Entry at={at} title={outcomeTitle(group, rounds)} tone={outcomeTone(group)} seconds>
      {reason === 'no_policy' ? (
        <p>
          No notification policy applies to the affected monitors.{' '}
          <a href={NOTIFICATIONS_PATH}>Choose who is notified</a>
        </p>
      ) : (
        <>
          {isUndelivered ? (
            <ul>
              {shown.map((one) => (
                <li key={one.channelId}>
                  <Channel outcome={one} />: <Undelivered outcome={one} />
                </li>
              ))}
            </ul>
          ) : (
            <p>
              {shown.map((one, index) => (
                <span key={one.channelId}>
                  {index > 0 && ', '}
                  <Channel outcome={one} />
                  <Delay outcome={one} />
                </span>
              ))}
              {rounds > 1 && (
                <>
                  , last at <Time at={lastAt} seconds />
                </>
              )}
            </p>
          )}
          {others > 0 && (
            <p>
              <a href={notificationsPath(path)}>{others === 1 ? '1 more channel' : `${others} more channels`}</a>
            </p>
          )}
          <Reason group={group} />
        </>
      )}
    </Entry>
  );
}

/** The link to everything that was sent about an incident, or was not. */
export function AllNotifications({ outcomes, path }: { outcomes: readonly ChannelOutcome[]; path: string }) {
  const count = outcomes.reduce((sum, one) => sum + (one.channelId === null ? 0 : one.count), 0);
  if (count === 0) return null;
  return (
    <p>
      <a href={notificationsPath(path)}>
        {count === 1 ? 'Show the notification' : `Show all ${count.toLocaleString('en')} notifications`}
      </a>
    </p>
  );
}

export function notificationsPath(incidentPath: string): string {
  return `${incidentPath}/notifications`;
}

function Channel({ outcome: { channelName } }: { outcome: ChannelOutcome }) {
  return channelName === null ? <>A deleted channel</> : <span dir="auto">{channelName}</span>;
}

function Delay({ outcome: { status, delayMs, count } }: { outcome: ChannelOutcome }) {
  if (status !== 'sent' || delayMs === null || count > 1) return null;
  return (
    <span class="quiet" title="Time from when the notification was due until the channel accepted it">
      {' '}
      in {delayWords(delayMs)}
    </span>
  );
}

function Undelivered({ outcome: { status, attempts, error, nextAttemptAt } }: { outcome: ChannelOutcome }) {
  if (attempts === 0) return <>waiting for the first attempt.</>;
  return (
    <>
      <span dir="auto">{error ?? 'The outcome of the last attempt is unknown.'}</span>{' '}
      <span class="quiet">
        {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
        {status === 'pending' && nextAttemptAt !== null && (
          <>
            , next attempt at <Time at={nextAttemptAt} seconds />
          </>
        )}
      </span>
    </>
  );
}

function Reason({ group }: Pick<NotifiedProps, 'group'>) {
  const { kind, step, status, outcomes } = group;
  const [first] = outcomes;
  const words = [
    step === 0 ? 'The channels of the policy failed.' : null,
    kind === 'resolve' && outcomes.some(({ replacesTrigger }) => replacesTrigger)
      ? 'It also reports the outage, because the alert had not been delivered.'
      : null,
    reasonWords(group),
  ].filter((one) => one !== null);
  const until = status === 'held' ? (first?.nextAttemptAt ?? null) : null;
  const collectedBy = first?.collectedBy ?? null;
  if (words.length === 0 && until === null && collectedBy === null) return null;
  return (
    <p class="quiet">
      {words.join(' ')}
      {until !== null && (
        <>
          {' '}
          Held until <Time at={until} />.
        </>
      )}
      {collectedBy !== null && (
        <>
          {' '}
          <a href={`${INCIDENTS_PATH}/${collectedBy}`}>Show the incident whose message included it</a>
        </>
      )}
    </p>
  );
}
