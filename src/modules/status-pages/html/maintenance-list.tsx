import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { type PublicComponentDto } from '../dto/public-page.dto.js';
import { Affected } from './incident-list.js';
import { Moment } from './moment.js';
import { namesOf } from './page-words.js';
import { StateMark } from '../../../html/state-mark.js';
import { type Clock } from '../../../html/time-text.js';

interface MaintenanceListProps {
  maintenance: readonly PublicMaintenanceDto[];
  /** The components of the page, for the names of those that are affected. */
  components: readonly PublicComponentDto[];
  clock: Clock;
  heading?: string;
  /** Whether the maintenance is over. */
  isOver?: boolean;
}

/** Renders maintenance under one heading; renders nothing if there is none. */
export function MaintenanceList({
  maintenance,
  components,
  clock,
  heading = 'Maintenance',
  isOver = false,
}: MaintenanceListProps) {
  if (maintenance.length === 0) return null;
  const names = namesOf(components);
  return (
    <section>
      <h2>{heading}</h2>
      <ul class="cards">
        {maintenance.map(({ id, name, description, active, startsAt, endsAt, componentIds }) => (
          <li key={id + startsAt} id={isOver ? undefined : `maintenance-${id}`} class="card">
            <div class="row">
              <h3 dir="auto">{name}</h3>
              <span class="state">
                <StateMark mark="maintenance" />
                <span class="word">{isOver ? 'Completed' : active ? 'In progress' : 'Scheduled'}</span>
              </span>
            </div>
            <p class="quiet">
              <Moment ms={Date.parse(startsAt)} clock={clock} />
              {' to '}
              <Moment ms={Date.parse(endsAt)} clock={clock} />.
              <Affected names={componentIds.flatMap((one) => names.get(one) ?? [])} />
            </p>
            {description && (
              <p class="about" dir="auto">
                {description}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
