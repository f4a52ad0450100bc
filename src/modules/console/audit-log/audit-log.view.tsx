import { type EventDto } from '../../events/dto/event.dto.js';
import { RESOURCE_TYPES, visibleTo } from '../../events/event.types.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { Time } from '../html/time.js';
import { withQuery } from '../list-query.js';
import { FILTERS_SCRIPT } from '../monitors/assets.js';
import { type PageFrame } from '../page-frame.js';
import { SettingsNavigation } from '../settings/settings-navigation.js';
import { actorWords, eventWords, pathOfResource, RESOURCES, valueWords } from './event-words.js';

export const AUDIT_LOG_PATH = '/settings/audit-log';

/** The filters and the page of the log, as its address contains them. */
interface Place {
  [name: string]: string | undefined;
  resourceType?: string;
  resourceId?: string;
  actorId?: string;
  cursor?: string;
}

export interface AuditLogProps {
  events: readonly EventDto[];
  nextCursor: string | null;
  place: Place;
  /** Whether the reader may see events about access: keys, people, invitations. */
  seesAll: boolean;
}

export function renderAuditLog(frame: PageFrame, { events, nextCursor, place, seesAll }: AuditLogProps): string {
  return page(frame, {
    title: 'Audit log',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Audit log" />,
    scripts: [FILTERS_SCRIPT],
    children: (
      <>
        <p class="lead">
          Events, and changes with their author. Newest first.
          {!seesAll && ' Owners also see changes to status pages, API keys and members.'}
        </p>
        <Filters place={place} seesAll={seesAll} />
        <div data-swap="results">
          {events.length === 0 ? (
            <Empty>No events match these filters.</Empty>
          ) : (
            <Table
              caption="Events"
              columns={['Event', 'Time', 'By', 'Changes']}
              rows={events.map((event) => ({
                key: event.id,
                cells: [
                  <What event={event} />,
                  <Time at={event.occurredAt} seconds />,
                  <Author event={event} place={place} />,
                  <Changes event={event} />,
                ],
              }))}
            />
          )}
          {nextCursor !== null && (
            <p>
              <a href={withQuery(AUDIT_LOG_PATH, { ...place, cursor: nextCursor })}>Older events</a>
            </p>
          )}
          <WithCurl
            id="events-curl"
            command={curlLine('GET', frame.origin + withQuery('/v1/events', { ...place, cursor: undefined }))}
          />
        </div>
      </>
    ),
  });
}

/** The filters, which become part of the address. The script applies them as they change; without it, a button does. */
function Filters({ place, seesAll }: { place: Place; seesAll: boolean }) {
  const { resourceType, resourceId, actorId, cursor } = place;
  const types = visibleTo(seesAll ? ['admin'] : ['read']) ?? RESOURCE_TYPES;
  const isFiltered = [resourceType, resourceId, actorId, cursor].some((one) => one !== undefined);
  return (
    <form method="get" action={AUDIT_LOG_PATH} class="list-filters" role="search" aria-label="Events" data-filters>
      <div class="list-choices">
        <label class="hidden" for="filter-resource">
          About
        </label>
        <select id="filter-resource" name="resourceType">
          <option value="">Everything</option>
          {types.map((type) => (
            <option key={type} value={type} selected={type === resourceType}>
              {RESOURCES[type].label}
            </option>
          ))}
        </select>
        {resourceId !== undefined && <input type="hidden" name="resourceId" value={resourceId} />}
        {actorId !== undefined && <input type="hidden" name="actorId" value={actorId} />}
        <button class="button plain" type="submit" data-without-script>
          Apply
        </button>
        {isFiltered && (
          <a class="chip" href={AUDIT_LOG_PATH}>
            Clear filters
          </a>
        )}
      </div>
    </form>
  );
}

function What({ event }: { event: EventDto }) {
  const { resource } = event;
  const path = pathOfResource(event);
  const name = resource.name ?? resource.id;
  return (
    <>
      {eventWords(event)}: {RESOURCES[resource.type].label.toLowerCase().replace('api', 'API')}{' '}
      <span class="name" dir="auto">
        {path === null ? name : <a href={path}>{name}</a>}
      </span>
    </>
  );
}

/** The author; the link shows everything that they did. */
function Author({ event, place }: { event: EventDto; place: Place }) {
  const { id } = event.actor;
  const words = <span dir="auto">{actorWords(event)}</span>;
  if (id === null) return words;
  return <a href={withQuery(AUDIT_LOG_PATH, { ...place, actorId: id, cursor: undefined })}>{words}</a>;
}

function Changes({ event: { changes } }: { event: EventDto }) {
  if (!changes || changes.length === 0) return <>–</>;
  return (
    <details>
      <summary>{changes.length === 1 ? '1 change' : `${changes.length} changes`}</summary>
      <dl class="changes">
        {changes.map(({ pointer, before, after }) => (
          <div key={pointer}>
            <dt>
              <code>{pointer.slice(1)}</code>
            </dt>
            <dd dir="auto">
              <del>{valueWords(before)}</del> <ins>{valueWords(after)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
