import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { type ChannelOutcome } from '../../notifications/channel-outcomes.service.js';
import { authorWords, type People } from '../author-words.js';
import { State } from '../html/state.js';
import { Ago, Time } from '../html/time.js';
import { MonitorLinks } from '../picker/monitor-links.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { impactWord, incidentMark, isAcknowledged, KIND_WORDS, lengthWords } from './incident-words.js';
import { INCIDENTS_PATH } from './incidents.view.js';

/** An incident with what its page says about it. */
export interface ShownIncident {
  incident: IncidentDto;
  monitors: readonly NamedMonitor[];
  people: People;
  /** The incident that it follows from. */
  parent: IncidentDto | null;
  /** The published status pages that show it. */
  pages: readonly { id: string; name: string }[];
  /** What became of its notifications. */
  outcomes: readonly ChannelOutcome[];
}

/** More channels are counted. */
const CHANNELS_SHOWN = 3;

/** The facts of an incident, for the side of its page. */
export function Facts({
  incident,
  monitors,
  people,
  parent,
  pages,
  outcomes,
  nowMs,
}: ShownIncident & { nowMs: number }) {
  const { mark, word } = incidentMark(incident);
  const { acknowledgedAt, acknowledgedBy, resolvedAt, endsAt } = incident;
  const isDrill = incident.kind === 'drill';
  // The next line says how bad it is.
  const hasImpact = incident.status === 'open' && incident.outageCount <= 1;
  return (
    <dl class="facts" data-swap="facts">
      <dt>State</dt>
      <dd>
        <State mark={mark} word={hasImpact ? 'Open' : word} />
      </dd>
      {!isDrill && (
        <>
          <dt>Impact</dt>
          <dd>{impactWord(incident.impact)}</dd>
        </>
      )}
      <dt>Started</dt>
      <dd>
        <Time at={incident.startedAt} />
      </dd>
      {resolvedAt !== null && (
        <>
          <dt>{isDrill ? 'Ended' : 'Resolved'}</dt>
          <dd>
            <Time at={resolvedAt} />
          </dd>
        </>
      )}
      {endsAt !== null && (
        <>
          <dt>Ends</dt>
          <dd>
            <Time at={endsAt} />
          </dd>
        </>
      )}
      <dt>Duration</dt>
      <dd>
        <Duration incident={incident} nowMs={nowMs} />
      </dd>
      <dt>Source</dt>
      <dd>{KIND_WORDS[incident.kind]}</dd>
      <dt>Monitors</dt>
      <dd>
        <MonitorLinks monitors={monitors} none="Deleted monitors" />
      </dd>
      {parent && (
        <>
          <dt>Caused by</dt>
          <dd>
            <a href={`${INCIDENTS_PATH}/${parent.id}`} dir="auto">
              {parent.title}
            </a>
          </dd>
        </>
      )}
      <dt>Notified</dt>
      <dd dir="auto">{notifiedWords(outcomes)}</dd>
      <dt>Acknowledged</dt>
      <dd>
        {acknowledgedAt === null ? (
          'Not yet'
        ) : (
          <>
            By <span dir="auto">{authorWords(acknowledgedBy ?? '', people)}</span>
            {incident.status === 'open' && <Expiry incident={incident} nowMs={nowMs} />}
          </>
        )}
      </dd>
      <dt>Status pages</dt>
      <dd>
        {pages.length === 0 || isDrill
          ? 'None'
          : pages.map(({ id, name }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <a href={`/status-pages/${id}`} dir="auto">
                  {name}
                </a>
              </span>
            ))}
      </dd>
    </dl>
  );
}

/** When an acknowledgement expires. */
function Expiry({ incident, nowMs }: { incident: IncidentDto; nowMs: number }) {
  const { acknowledgedUntil } = incident;
  if (acknowledgedUntil === null) return null;
  return (
    <>
      , {isAcknowledged(incident, nowMs) ? 'until' : 'expired'} <Time at={acknowledgedUntil} />
    </>
  );
}

/** How long an incident lasted or has lasted, which the script of live pages keeps up to date. */
export function Duration({ incident, nowMs }: { incident: IncidentDto; nowMs: number }) {
  const { resolvedAt, outageCount, startedAt } = incident;
  if (resolvedAt !== null) return <>{lengthWords(incident, nowMs)}</>;
  return (
    <>
      <Ago at={startedAt} nowMs={nowMs} />
      {outageCount > 1 && `, ${outageCount} outages`}, ongoing
    </>
  );
}

/** Returns the channels that were sent at least one notification. */
function notifiedWords(outcomes: readonly ChannelOutcome[]): string {
  const sent = outcomes.filter(({ status }) => status === 'sent');
  const names = [...new Map(sent.map((one) => [one.channelId, one.channelName ?? 'a deleted channel'])).values()];
  if (names.length === 0) return 'Nobody';
  const others = names.length - CHANNELS_SHOWN;
  return [...names.slice(0, CHANNELS_SHOWN), ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
