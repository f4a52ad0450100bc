import { type PublicPage } from '../public-page.types.js';
import { anchorOf, Incident } from './incident-list.js';
import { namesOf } from './page-words.js';
import { type HistoryDays, incidentHistory } from './incident-history.js';
import { type Clock, dayText } from '../../../html/time-text.js';

/** Renders the past days with their incidents; consecutive days without any share one entry. */
export function PastIncidents({ page, clock, nowMs }: { page: PublicPage; clock: Clock; nowMs: number }) {
  if (page.view.components.length === 0) return null;
  const names = namesOf(page.view.components);
  return (
    <section>
      <h2>Past incidents</h2>
      {incidentHistory(page, clock).map(({ first, last, began, alsoThen }) => (
        <div key={first} class="day">
          <h3>{span({ first, last })}</h3>
          {began.length + alsoThen.length === 0 && <p class="quiet">No incidents.</p>}
          {alsoThen.map((incident) => (
            <p key={incident.id} class="quiet">
              {clock.date(Date.parse(incident.startedAt)) === first ? 'Started' : 'Continued'}:{' '}
              <a href={`#${anchorOf(incident)}`} dir="auto">
                {incident.title}
              </a>
            </p>
          ))}
          {began.length > 0 && (
            <ul class="cards">
              {began.map((incident) => (
                <li key={incident.id} id={anchorOf(incident)} class="card">
                  <Incident incident={incident} names={names} clock={clock} nowMs={nowMs} heading="h4" />
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  );
}

function span({ first, last }: Pick<HistoryDays, 'first' | 'last'>): string {
  return first === last ? dayText(last) : `${dayText(first)} to ${dayText(last)}`;
}
