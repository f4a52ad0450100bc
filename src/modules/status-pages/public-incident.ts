import { markdownHtml } from '../../html/markdown.js';
import { type Impact, type Phase } from '../incidents/dto/incident.dto.js';
import { type IncidentView } from '../incidents/incidents.service.js';
import { type PagePart } from './public-page.types.js';
import { type PublicIncidentDto, type PublicIncidentUpdateDto } from './dto/public-incident.dto.js';

/** Returns the public part of an incident. Lists the members one by one, so that no other data becomes public. */
export function toPublicIncident(
  { incident, monitorIds, updates }: IncidentView,
  components: readonly PagePart[],
): PublicIncidentDto {
  const concerned = components.filter(({ monitorId }) => monitorIds.includes(monitorId));
  const { id, ownTitle, title, impact, startedAt, resolvedAt } = incident;
  // The default title contains the name of the monitor, which only the team may see.
  const told = `${concerned[0]?.name ?? 'A component'} ${resolvedAt === null ? 'is' : 'was'} ${happening(incident)}`;
  return {
    id,
    title: ownTitle ? title : told,
    status: resolvedAt === null ? 'open' : 'resolved',
    impact: impact as Impact,
    startedAt: startedAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
    componentIds: concerned.map((component) => component.id),
    updates: updates.map(toPublicUpdate).reverse(),
  };
}

function toPublicUpdate({ at, phase, text }: IncidentView['updates'][number]): PublicIncidentUpdateDto {
  return { at: at.toISOString(), phase: phase as Phase, text, textHtml: markdownHtml(text) };
}

/** A flapping component may be up while its incident is still open. */
function happening({ outageCount, settlesAt }: IncidentView['incident']): string {
  return outageCount > 1 || settlesAt !== null ? 'intermittently unavailable' : 'down';
}
