import { type ComponentChildren } from 'preact';
import { markdownHtml } from '../../../html/markdown.js';
import { PHASE_WORDS } from '../../../html/status-words.js';
import { type IncidentDto, type IncidentUpdateDto } from '../../incidents/dto/incident.dto.js';
import { authorWords, type People } from '../author-words.js';
import { Time } from '../html/time.js';
import { type IncidentEvent, incidentEvents } from './incident-timeline.js';

interface TimelineProps {
  incident: IncidentDto;
  people: People;
}

/** Everything that has happened in an incident, oldest first, so that the form for the next update follows it. */
export function Timeline({ incident, people }: TimelineProps) {
  return (
    <section aria-labelledby="timeline" data-swap="timeline">
      <h2 id="timeline">
        Timeline <span class="quiet">oldest first</span>
      </h2>
      <ol class="told">
        {incidentEvents(incident).map((event) => (
          <Event key={keyOf(event)} event={event} incident={incident} people={people} />
        ))}
      </ol>
    </section>
  );
}

const keyOf = (event: IncidentEvent): string => (event.is === 'update' ? event.update.id : event.is);

function Event({ event, incident, people }: TimelineProps & { event: IncidentEvent }) {
  const { impact, kind, acknowledgedBy, acknowledgeNote } = incident;
  const bad = impact === 'none' ? undefined : impact;
  switch (event.is) {
    case 'started':
      return (
        <Entry at={event.at} tone={bad} title={kind === 'detected' ? 'First failing check' : 'Started'} seconds>
          <FirstCheck incident={incident} />
        </Entry>
      );
    case 'reported':
      return <Entry at={event.at} title="Reported manually" />;
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
      return <Entry at={event.at} tone="up" title="Resolved" />;
    case 'update':
      return <Update update={event.update} people={people} />;
  }
}

interface EntryProps {
  at: string;
  title: string;
  /** The class of the state whose colour the entry has. */
  tone?: string | undefined;
  by?: string;
  tag?: string;
  seconds?: boolean;
  children?: ComponentChildren;
}

function Entry({ at, title, tone, by, tag, seconds = false, children }: EntryProps) {
  return (
    <li class={tone}>
      <p class="event">
        <strong>{title}</strong>
        {tag !== undefined && <span class="tag">{tag}</span>}
        <span class="quiet">
          {by !== undefined && (
            <>
              by <span dir="auto">{by}</span> ·{' '}
            </>
          )}
          <Time at={at} seconds={seconds} />
        </span>
      </p>
      {children}
    </li>
  );
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
