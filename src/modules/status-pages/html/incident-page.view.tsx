import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type FrameContext, clockOf, framed } from './frame.js';
import { Incident } from './incident-list.js';
import { incidentState, namesOf } from './page-words.js';

/** Previews show about this much. */
const MAX_DESCRIPTION = 200;

/** Renders the page of one incident, with all of its public updates. */
export function renderIncidentPage(context: FrameContext, incident: PublicIncidentDto): string {
  const { view } = context.page;
  const { mark, word } = incidentState(incident);
  return framed(context, {
    title: `${incident.title} · ${view.name}`,
    description: `${word}. ${incident.updates[0]?.text ?? ''}`.trim().slice(0, MAX_DESCRIPTION),
    path: context.address.incident(incident.id),
    icon: mark,
    children: (
      <section>
        <h2 class="hidden">Incident</h2>
        <div class="cards">
          <article class="card">
            <Incident
              incident={incident}
              names={namesOf(view.components)}
              clock={clockOf(view)}
              nowMs={Date.parse(view.computedAt)}
            />
          </article>
        </div>
      </section>
    ),
  });
}
