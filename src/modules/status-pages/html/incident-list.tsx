import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicComponentDto } from '../dto/public-page.dto.js';
import { Moment } from './moment.js';
import { incidentState, PHASE_WORDS } from './page-words.js';
import { StateMark } from './state-mark.js';
import { type Clock, duration } from './time-text.js';

interface IncidentListProps {
  heading: string;
  incidents: readonly PublicIncidentDto[];
  /** Of the page: an incident names those that it is about. */
  components: readonly PublicComponentDto[];
  clock: Clock;
  nowMs: number;
}

/** Incidents with what was told about them; nothing where there are none. */
export function IncidentList({ heading, incidents, components, clock, nowMs }: IncidentListProps) {
  if (incidents.length === 0) return null;
  const names = new Map(components.map(({ id, name }) => [id, name]));
  return (
    <section>
      <h2>{heading}</h2>
      <ul class="cards">
        {incidents.map((incident) => (
          <IncidentCard key={incident.id} incident={incident} names={names} clock={clock} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  );
}

interface IncidentCardProps extends Pick<IncidentListProps, 'clock' | 'nowMs'> {
  incident: PublicIncidentDto;
  names: ReadonlyMap<string, string>;
}

function IncidentCard({ incident, names, clock, nowMs }: IncidentCardProps) {
  const { title, startedAt, resolvedAt, componentIds, updates } = incident;
  const { mark, word } = incidentState(incident);
  const startedMs = Date.parse(startedAt);
  const endMs = resolvedAt === null ? null : Date.parse(resolvedAt);
  return (
    <li class="card">
      <div class="row">
        <h3 dir="auto">{title}</h3>
        <span class="state">
          <StateMark mark={mark} />
          <span class="word">{word}</span>
        </span>
      </div>
      <p class="quiet">
        {endMs === null ? 'Since ' : ''}
        <Moment ms={startedMs} clock={clock} />
        {endMs !== null && (
          <>
            {' to '}
            <Moment ms={endMs} clock={clock} />
          </>
        )}{' '}
        ({duration((endMs ?? nowMs) - startedMs)}
        ). <span dir="auto">{componentIds.flatMap((id) => names.get(id) ?? []).join(', ')}</span>
      </p>
      {updates.length > 0 && (
        <ol class="updates">
          {updates.map(({ at, phase, text }) => (
            <li key={at}>
              <p class="about" dir="auto">
                {phase !== 'note' && <strong>{PHASE_WORDS[phase]}. </strong>}
                {text}
              </p>
              <p class="quiet">
                <Moment ms={Date.parse(at)} clock={clock} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
