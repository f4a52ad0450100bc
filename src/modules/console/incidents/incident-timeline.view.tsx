import { markdownHtml } from '../../../html/markdown.js';
import { PHASE_WORDS } from '../../../html/status-words.js';
import { type IncidentDto, type IncidentUpdateDto } from '../../incidents/dto/incident.dto.js';
import { authorWords, type People } from '../author-words.js';
import { type ChannelOutcome } from '../../notifications/channel-outcomes.service.js';
import { Entry } from './incident-entry.js';
import { AllNotifications, Notified } from './incident-notified.view.js';
import { type IncidentEvent, incidentEvents } from './incident-timeline.js';

interface TimelineProps {
  incident: IncidentDto;
  people: People;
  path: string;
}

/** Everything that has happened in an incident, oldest first, so that the form for the next update follows it. */
export function Timeline({ outcomes, ...props }: TimelineProps & { outcomes: readonly ChannelOutcome[] }) {
  return (
    <section aria-labelledby="timeline" data-swap="timeline">
      <h2 id="timeline">
        Timeline <span class="quiet">oldest first</span>
      </h2>
      <ol class="told">
        {incidentEvents(props.incident, outcomes).map((event, at) => (
          <Event key={keyOf(event, at)} event={event} {...props} />
        ))}
      </ol>
      <AllNotifications outcomes={outcomes} path={props.path} />
    </section>
  );
}

const keyOf = (event: IncidentEvent, at: number): string =>
  event.is === 'update' ? event.update.id : `${event.is} ${at}`;

const STARTED: Readonly<Record<IncidentDto['kind'], string>> = {
  detected: 'First failing check',
  manual: 'Started',
  drill: 'Drill started',
};

function Event({ event, incident, people, path }: TimelineProps & { event: IncidentEvent }) {
  const { impact, kind, acknowledgedBy, acknowledgeNote } = incident;
  const bad = impact === 'none' || kind === 'drill' ? undefined : impact;
  switch (event.is) {
    case 'started':
      return (
        <Entry at={event.at} tone={bad} title={incident.locations.length > 0 ? 'Outage began' : STARTED[kind]} seconds>
          <FirstCheck incident={incident} />
        </Entry>
      );
    case 'reported':
      return <Entry at={event.at} title="Reported manually" />;
    case 'failed at':
      return <Entry at={event.at} tone={bad} title={`Failure confirmed at ${event.location}`} seconds />;
    case 'recovered at':
      return <Entry at={event.at} tone="up" title={`Recovered at ${event.location}`} seconds />;
    case 'confirmed':
      return (
        <Entry at={event.at} tone={bad} title="Confirmed, incident opened" seconds>
          <Cause incident={incident} />
        </Entry>
      );
    case 'acknowledged':
      return (
        <Entry at={event.at} title="Acknowledged" by={authorWords(acknowledgedBy ?? '', people)}>
          {acknowledgeNote !== null && acknowledgeNote !== '' && (
            <p class="lines" dir="auto">
              {acknowledgeNote}
            </p>
          )}
        </Entry>
      );
    case 'recovered':
      return <Entry at={event.at} tone="up" title="Recovered, incident resolved" seconds />;
    case 'resolved':
      return kind === 'drill' ? (
        <Entry at={event.at} title="Drill ended" seconds />
      ) : (
        <Entry at={event.at} tone="up" title="Resolved" />
      );
    case 'update':
      return <Update update={event.update} people={people} />;
    case 'notified':
      return <Notified group={event.group} path={path} />;
  }
}

function Update({ update, people }: { update: IncidentUpdateDto; people: People }) {
  const { at, phase, text, author, public: isPublic } = update;
  return (
    <Entry
      at={at}
      title={PHASE_WORDS[phase]}
      tone={phase === 'resolved' ? 'up' : undefined}
      by={authorWords(author, people)}
      tag={isPublic ? 'Public' : 'Internal'}
    >
      <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: markdownHtml(text) }} />
    </Entry>
  );
}

function FirstCheck({ incident: { cause, monitorIds } }: Pick<TimelineProps, 'incident'>) {
  const [monitorId] = monitorIds;
  const checkId = cause?.firstFailedCheckId ?? null;
  if (monitorId === undefined || checkId === null) return null;
  return (
    <p>
      <a href={`/monitors/${monitorId}/checks/${checkId}`}>View the check</a>
    </p>
  );
}

/** The cause of a detected incident. */
function Cause({ incident: { cause } }: Pick<TimelineProps, 'incident'>) {
  if (cause === null) return null;
  const { errorCode, message, failedAssertions } = cause;
  return (
    <>
      <p>
        <span dir="auto">{message ?? 'The results of these checks are no longer stored.'}</span>
        {errorCode !== null && (
          <>
            {' '}
            <code class="quiet">{errorCode}</code>
          </>
        )}
      </p>
      {failedAssertions.length > 0 && (
        <ul>
          {failedAssertions.map(({ index, actual }) => (
            <li key={index}>
              Assertion {index + 1} failed. Actual value: <code>{JSON.stringify(actual)}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
