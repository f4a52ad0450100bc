import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicComponentDto } from '../dto/public-page.dto.js';
import { type PageAddress } from '../page-address.js';
import { Moment } from './moment.js';
import { PHASE_WORDS } from '../../../html/status-words.js';
import { incidentState, namesOf } from './page-words.js';
import { StateMark } from '../../../html/state-mark.js';
import { type Clock, duration } from '../../../html/time-text.js';

interface IncidentListProps {
  heading: string;
  incidents: readonly PublicIncidentDto[];
  /** The components of the page, for the names of those that are affected. */
  components: readonly PublicComponentDto[];
  address: PageAddress;
  clock: Clock;
  nowMs: number;
}

/** Renders incidents with their updates under one heading; renders nothing if there are none. */
export function IncidentList({ heading, incidents, components, ...rest }: IncidentListProps) {
  if (incidents.length === 0) return null;
  const names = namesOf(components);
  return (
    <section>
      <h2>{heading}</h2>
      <ul class="cards">
        {incidents.map((incident) => (
          <li key={incident.id} id={anchorOf(incident)} class="card">
            <Incident incident={incident} names={names} {...rest} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the anchor of an incident, to which earlier feeds linked. */
export function anchorOf({ id }: Pick<PublicIncidentDto, 'id'>): string {
  return `incident-${id}`;
}

/** Renders the names of affected components; renders nothing if the page shows none of them. */
export function Affected({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      {' '}
      Affects <span dir="auto">{names.join(', ')}</span>.
    </>
  );
}

interface IncidentProps extends Pick<IncidentListProps, 'clock' | 'nowMs'> {
  incident: PublicIncidentDto;
  names: ReadonlyMap<string, string>;
  heading?: 'h3' | 'h4';
  /** Where the page of the incident is, to which its title links; omitted on that page itself. */
  address?: PageAddress;
}

/** Renders an incident: title, state, times and updates. */
export function Incident({ incident, names, clock, nowMs, heading: Heading = 'h3', address }: IncidentProps) {
  const { id, title, startedAt, resolvedAt, componentIds, updates } = incident;
  const { mark, word } = incidentState(incident);
  const startedMs = Date.parse(startedAt);
  const endMs = resolvedAt === null ? null : Date.parse(resolvedAt);
  return (
    <>
      <div class="row">
        <Heading dir="auto">{address ? <a href={address.incident(id)}>{title}</a> : title}</Heading>
        <span class="state">
          <StateMark mark={mark} />
          <span class="word">{word}</span>
        </span>
      </div>
      <p class="quiet">
        {endMs === null ? 'Since ' : ''}
        <Moment ms={startedMs} clock={clock} />
        {endMs !== null && clock.at(endMs) !== clock.at(startedMs) && (
          <>
            {' to '}
            <Moment ms={endMs} clock={clock} />
          </>
        )}{' '}
        ({duration((endMs ?? nowMs) - startedMs)}
        ).
        <Affected names={componentIds.flatMap((id) => names.get(id) ?? [])} />
      </p>
      {updates.length > 0 && (
        <ol class="updates">
          {updates.map(({ at, phase, textHtml }) => (
            <li key={at}>
              {phase !== 'note' && <strong>{PHASE_WORDS[phase]}</strong>}
              <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: textHtml }} />
              <p class="quiet">
                <Moment ms={Date.parse(at)} clock={clock} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
