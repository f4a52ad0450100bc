import { type PublicPage } from '../public-page.types.js';
import { type PageAddress } from '../page-address.js';
import { anchorOf, Incident } from './incident-list.js';
import { namesOf } from './page-words.js';
import { type HistoryDays, incidentHistory } from './incident-history.js';
import { Day } from '../../../html/day.js';
import { type Clock } from '../../../html/time-text.js';

interface PastIncidentsProps {
  page: PublicPage;
  address: PageAddress;
  clock: Clock;
  nowMs: number;
}

/** Renders the past days with their incidents; consecutive days without any share one entry. */
export function PastIncidents({ page, address, clock, nowMs }: PastIncidentsProps) {
  if (page.view.components.length === 0) return null;
  const names = namesOf(page.view.components);
  return (
    <section>
      <h2>Past incidents</h2>
      {incidentHistory(page, clock).map(({ first, last, began, alsoThen }) => (
        <div key={first} class="day">
          <h3>
            <Days first={first} last={last} />
          </h3>
          {began.length + alsoThen.length === 0 && <p class="quiet">No incidents.</p>}
          {alsoThen.map((incident) => (
            <p key={incident.id} class="quiet">
              {clock.date(Date.parse(incident.startedAt)) === first ? 'Started' : 'Continued'}:{' '}
              <a href={address.incident(incident.id)} dir="auto">
                {incident.title}
              </a>
            </p>
          ))}
          {began.length > 0 && (
            <ul class="cards">
              {began.map((incident) => (
                <li key={incident.id} id={anchorOf(incident)} class="card">
                  <Incident {...{ incident, names, address, clock, nowMs }} heading="h4" />
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
      <p>
        <a href={address.history}>Incident history by month</a>
      </p>
    </section>
  );
}

function Days({ first, last }: Pick<HistoryDays, 'first' | 'last'>) {
  if (first === last) return <Day date={last} />;
  return (
    <>
      <Day date={first} /> to <Day date={last} />
    </>
  );
}
