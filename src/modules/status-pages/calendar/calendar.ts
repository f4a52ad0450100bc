import { v5 as uuidv5 } from 'uuid';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { namesOf } from '../html/page-words.js';
import { type PageAddress } from '../page-address.js';
import { type PublicPage } from '../public-page.types.js';
import { contentLine, textValue, timeValue } from './content-line.js';

/**
 * Renders periods of maintenance as an iCalendar file (RFC 5545), one event each. The identifier of an event is that of
 * its entry in the feed; it does not change with the texts or the end of the maintenance.
 */
export function renderCalendar(
  page: PublicPage,
  address: PageAddress,
  maintenance: readonly PublicMaintenanceDto[],
): string {
  const { view } = page;
  const names = namesOf(view.components);
  const lines = [
    ['BEGIN', 'VCALENDAR'],
    ['VERSION', '2.0'],
    ['PRODID', '-//Daywatch//Status page//EN'],
    // RFC 7986. Calendars that predate it read the second of each pair.
    ['NAME', textValue(view.name)],
    ['X-WR-CALNAME', textValue(view.name)],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'],
    ['X-PUBLISHED-TTL', 'PT1H'],
    ...(maintenance.length === 0 ? UTC : maintenance.flatMap((one) => event(page.id, one, address.url(), names))),
    ['END', 'VCALENDAR'],
  ] as const;
  return lines.map(([name, value]) => contentLine(name, value)).join('');
}

/** A time zone, because a calendar must have a component (RFC 5545, 3.6), even without events. */
const UTC = [
  ['BEGIN', 'VTIMEZONE'],
  ['TZID', 'UTC'],
  ['BEGIN', 'STANDARD'],
  ['DTSTART', '19700101T000000'],
  ['TZOFFSETFROM', '+0000'],
  ['TZOFFSETTO', '+0000'],
  ['END', 'STANDARD'],
  ['END', 'VTIMEZONE'],
] as const;

function event(
  pageId: string,
  { id, name, description, startsAt, endsAt, updatedAt, componentIds }: PublicMaintenanceDto,
  url: string,
  names: ReadonlyMap<string, string>,
): (readonly [name: string, value: string])[] {
  const affected = componentIds.flatMap((one) => names.get(one) ?? []);
  // Maintenance may be over within a second, but an event must end after it starts (RFC 5545, 3.8.2.2).
  const endsMs = Math.max(Date.parse(endsAt), Date.parse(startsAt) + 1_000);
  const texts = [description, affected.length === 0 ? null : `Affected: ${affected.join(', ')}.`];
  return [
    ['BEGIN', 'VEVENT'],
    ['UID', uuidv5(`${id}/${startsAt}`, pageId)],
    ['DTSTAMP', timeValue(updatedAt)],
    ['LAST-MODIFIED', timeValue(updatedAt)],
    ['DTSTART', timeValue(startsAt)],
    ['DTEND', timeValue(new Date(endsMs).toISOString())],
    ['SUMMARY', textValue(name)],
    ['DESCRIPTION', textValue(texts.filter((text) => text !== null).join('\n\n'))],
    ['URL', url],
    ['STATUS', 'CONFIRMED'],
    // The people who subscribe are not busy meanwhile.
    ['TRANSP', 'TRANSPARENT'],
    ['END', 'VEVENT'],
  ];
}
