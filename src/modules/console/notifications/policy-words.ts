import { listed } from '../../../domain/listed.js';
import { type NotifiedEvent, type Weekday, WEEKDAYS } from '../../../domain/notification-plan/policy.js';
import { exactDuration } from '../../../html/time-text.js';
import {
  type ShownMatchDto,
  type ShownQuietHoursDto,
} from '../../notification-policies/dto/notification-policy.dto.js';

/** What a policy does, as it is stored or as an unfinished form describes it. */
export interface PolicyOutline {
  match: ShownMatchDto;
  on: readonly NotifiedEvent[];
  /** `afterSeconds` is null if the form does not contain a valid time. */
  steps: readonly { afterSeconds: number | null; channelIds: readonly string[] }[];
  repeatEverySeconds: number | null;
  quietHours: ShownQuietHoursDto | null;
}

/** The names of the channels and monitors that a policy can refer to, by id. */
export interface PolicyNames {
  channels: ReadonlyMap<string, string>;
  monitors: ReadonlyMap<string, string | null>;
}

/** What policies notify about, in the words of a list. */
export const EVENT_NAMES: Readonly<Record<NotifiedEvent, string>> = {
  down: 'outages',
  degraded: 'degraded monitors',
  unknown: 'monitors without data',
  location_offline: 'offline locations',
  channel_failing: 'failing channels',
  manual_incident: 'manual incidents',
  certificate_expiring: 'expiring certificates',
  domain_expiring: 'expiring domains',
  maintenance: 'maintenance',
};

/** Longer lists of monitors are counted. */
const MAX_NAMED = 3;
const WEEKEND: readonly Weekday[] = ['saturday', 'sunday'];

/**
 * Returns what a policy does, in sentences: `Outages and recoveries of monitors tagged production: Ops immediately, On
 * call after 5 minutes unless acknowledged.`
 */
export function policySentence(policy: PolicyOutline, names: PolicyNames): string {
  const { match, on, steps, quietHours } = policy;
  const monitors = matchWords(match, names.monitors);
  const others = on.filter((event) => event !== 'down').map((event) => EVENT_NAMES[event]);
  const first = steps[0]?.channelIds ?? [];
  const sentences: string[] = [];
  if (on.includes('down')) sentences.push(`Outages and recoveries of ${monitors}: ${stepWords(policy, names)}.`);
  // The form does not name channels yet. The sentence about outages says so already.
  if (others.length > 0 && !(on.includes('down') && first.length === 0)) {
    const isAlso = on.includes('down') ? 'also notified' : 'notified';
    const subject = on.includes('down') ? '' : `${capitalised(monitors)}: `;
    const verb = first.length > 1 ? 'are' : 'is';
    sentences.push(`${subject}${channelsOf(first, names)} ${verb} ${isAlso} about ${listed(others, 'and')}.`);
  }
  if (sentences.length === 0) sentences.push(`${capitalised(monitors)}: no events selected.`);
  if (quietHours) sentences.push(quietWords(quietHours));
  return sentences.join(' ');
}

/** Returns what a match selects: `all monitors`, `Checkout API and monitors tagged production`. */
export function matchWords(match: ShownMatchDto, names: PolicyNames['monitors']): string {
  const { all, monitorIds, tags, allTags, notTags, types } = match;
  const selected = [
    tags.length > 0 ? `tagged ${listed(tags, 'or')}` : null,
    allTags.length > 0 ? `tagged ${listed(allTags, 'and')}` : null,
    types.length > 0 ? `of type ${listed(types, 'or')}` : null,
  ].filter((one) => one !== null);
  const parts: string[] = [];
  if (monitorIds.length > 0) parts.push(monitorWords(monitorIds, names));
  if (selected.length > 0) parts.push(`monitors ${selected.join(', ')}`);
  const except = notTags.length > 0 ? `except those tagged ${listed(notTags, 'or')}` : null;
  if (parts.length > 0) return `${parts.join(' and ')}${except === null ? '' : `, ${except}`}`;
  if (except !== null) return `all monitors ${except}`;
  return all ? 'all monitors' : 'no monitors';
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function monitorWords(ids: readonly string[], names: PolicyNames['monitors']): string {
  const known = ids.map((id) => names.get(id) ?? 'a deleted monitor');
  return ids.length > MAX_NAMED ? `${ids.length} monitors` : listed(known, 'and');
}

function stepWords({ steps, repeatEverySeconds }: PolicyOutline, names: PolicyNames): string {
  const words = steps.map(({ afterSeconds, channelIds }) => {
    if (channelIds.length === 0) return 'nobody yet';
    const after = afterSeconds === null ? '' : afterSeconds === 0 ? ' immediately' : ` after ${lengthOf(afterSeconds)}`;
    return channelsOf(channelIds, names) + after;
  });
  const isLater = steps.length > 1 || (steps[0]?.afterSeconds ?? 0) > 0;
  const unless = isLater ? ' unless acknowledged' : '';
  if (repeatEverySeconds === null) return words.join(', ') + unless;
  return `${words.join(', ')}${unless}, repeated every ${lengthOf(repeatEverySeconds)} until acknowledged`;
}

function quietWords({ timezone, days, from, to, except }: ShownQuietHoursDto): string {
  const exceptions =
    except.length > 0
      ? `, except for ${listed(
          except.map((event) => EVENT_NAMES[event]),
          'and',
        )}`
      : '';
  return `Quiet hours from ${from} to ${to} (${timezone}) ${dayWords(days)}${exceptions}.`;
}

function dayWords(days: readonly Weekday[]): string {
  if (days.length === WEEKDAYS.length) return 'every day';
  if (days.length === 5 && !WEEKEND.some((day) => days.includes(day))) return 'on weekdays';
  const ordered = WEEKDAYS.filter((day) => days.includes(day));
  return `on ${listed(ordered.map(capitalised), 'and')}`;
}

function channelsOf(ids: readonly string[], { channels }: PolicyNames): string {
  return ids.length === 0
    ? 'nobody'
    : listed(
        ids.map((id) => channels.get(id) ?? 'a deleted channel'),
        'and',
      );
}

function lengthOf(seconds: number): string {
  return exactDuration(seconds * 1_000);
}
