import { duration } from '../../../html/time-text.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { authorWords, type People } from '../author-words.js';
import { Ago, Time } from '../html/time.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { isHandled } from './incident-words.js';

export interface StoryProps {
  incident: IncidentDto;
  monitors: readonly NamedMonitor[];
  nowMs: number;
}

/** The course of an incident in plain words, and who is on it. */
export function Story({ people, ...props }: StoryProps & { people: People }) {
  const { incident, nowMs } = props;
  return (
    <div class="prose">
      <p>
        <Course {...props} />
      </p>
      {incident.outageCount > 1 && (
        <p>
          Its {incident.outageCount} outages count as one incident, which stays open until the monitor has been up for
          15 minutes.
        </p>
      )}
      {isHandled(incident, nowMs) && (
        <p>
          Acknowledged by <span dir="auto">{authorWords(incident.acknowledgedBy ?? '', people)}</span>.
        </p>
      )}
    </div>
  );
}

function Course(props: StoryProps) {
  switch (props.incident.kind) {
    case 'detected':
      return <Detected {...props} />;
    case 'manual':
      return <Reported {...props} />;
    case 'drill':
      return <Drill {...props} />;
  }
}

function Drill({ incident: { startedAt, resolvedAt, endsAt, acknowledgedAt } }: StoryProps) {
  if (resolvedAt === null) {
    return (
      <>
        This is a drill. There is no outage; uptime and status pages do not change. It ends{' '}
        {endsAt !== null && (
          <>
            at <Time at={endsAt} />
          </>
        )}
        {acknowledgedAt === null && ', or a minute after someone acknowledges it'}.
      </>
    );
  }
  return (
    <>
      This was a drill. No outage happened. It lasted {lengthWords(startedAt, Date.parse(resolvedAt))},{' '}
      <Span from={startedAt} to={resolvedAt} />.
    </>
  );
}

function Detected({ incident, monitors: [monitor], nowMs }: StoryProps) {
  const { startedAt, resolvedAt, outageCount } = incident;
  const name = <strong dir="auto">{monitor?.name ?? 'The monitor'}</strong>;
  if (outageCount === 0) {
    return <>Retracted: results that arrived late show that {name} was not down at this time.</>;
  }
  // A flapping monitor may be up while its incident is open.
  const flaps = outageCount > 1;
  if (resolvedAt === null) {
    return flaps ? (
      <>
        {name} has been flapping since <Time at={startedAt} /> (<Ago at={startedAt} nowMs={nowMs} />
        ).
      </>
    ) : (
      <>
        {name} has been down since <Time at={startedAt} /> (<Ago at={startedAt} nowMs={nowMs} />
        ).
      </>
    );
  }
  return (
    <>
      {name} {flaps ? 'was flapping' : 'was down'} for {lengthWords(startedAt, Date.parse(resolvedAt))},{' '}
      <Span from={startedAt} to={resolvedAt} />.
    </>
  );
}

function Reported({ incident: { startedAt, resolvedAt }, nowMs }: StoryProps) {
  if (resolvedAt === null) {
    return (
      <>
        Reported manually. Ongoing since <Time at={startedAt} /> (<Ago at={startedAt} nowMs={nowMs} />
        ).
      </>
    );
  }
  return (
    <>
      Reported manually. It lasted {lengthWords(startedAt, Date.parse(resolvedAt))},{' '}
      <Span from={startedAt} to={resolvedAt} />.
    </>
  );
}

/** Shorter incidents are shown with seconds, because without them the start and the end may look equal. */
const SHORT_MS = 120_000;

function Span({ from, to }: { from: string; to: string }) {
  const isShort = Date.parse(to) - Date.parse(from) < SHORT_MS;
  return (
    <>
      from <Time at={from} seconds={isShort} /> to <Time at={to} seconds={isShort} />
    </>
  );
}

function lengthWords(fromIso: string, toMs: number): string {
  return duration(toMs - Date.parse(fromIso));
}
