import { listed } from '../../../domain/listed.js';
import { type NotifiedEvent, WEEKDAYS } from '../../../domain/notification-plan/policy.js';
import { exactDuration } from '../../../html/time-text.js';
import { type MonitorPolicyDto, type NotifiedChannelDto } from '../../notification-policies/dto/monitor-policy.dto.js';

/** The events that concern a monitor, in the words of a question: "If it …". */
export const EVENT_CLAUSES = {
  down: 'goes down',
  degraded: 'becomes degraded',
  unknown: 'has no data',
  manual_incident: 'is affected by a manual incident',
  certificate_expiring: 'has an expiring certificate',
  domain_expiring: 'has an expiring domain',
  maintenance: 'enters maintenance',
} as const satisfies Partial<Record<NotifiedEvent, string>>;

const EVENT_NOUNS: Readonly<Record<keyof typeof EVENT_CLAUSES, string>> = {
  down: 'outages',
  degraded: 'degraded performance',
  unknown: 'missing data',
  manual_incident: 'manual incidents',
  certificate_expiring: 'expiring certificates',
  domain_expiring: 'expiring domains',
  maintenance: 'maintenance',
};

/** Longer lists of channels are counted. */
const MOST_NAMES = 6;

/**
 * Returns what a policy does for a monitor, in sentences: `Outages: Ops immediately, On call after 5 minutes unless
 * acknowledged. Missing data: Ops.`
 */
export function appliedSentences({ on, steps, repeatEverySeconds, quietHours }: MonitorPolicyDto): string {
  const sentences: string[] = [];
  if (on.includes('down')) {
    const words = steps.map(({ afterSeconds, channels }) => {
      const who = channelsWords(channels);
      if (channels.length === 0) return who;
      return `${who} ${afterSeconds === 0 ? 'immediately' : `after ${lengthWords(afterSeconds)}`}`;
    });
    const isLater = steps.some(({ afterSeconds }) => afterSeconds > 0);
    const repeats = repeatEverySeconds === null ? '' : `, again every ${lengthWords(repeatEverySeconds)}`;
    const unless = isLater || repeats !== '' ? ' unless acknowledged' : '';
    sentences.push(`Outages: ${words.join(', ')}${repeats}${unless}.`);
  }
  const others = on.filter((event) => event !== 'down').flatMap((event) => nounOf(event) ?? []);
  if (others.length > 0) {
    sentences.push(`${capitalised(listed(others))}: ${channelsWords(steps[0]?.channels ?? [])}.`);
  }
  if (quietHours !== null) {
    const { from, to, timezone, days, except } = quietHours;
    const on = days.length === WEEKDAYS.length ? '' : ` on ${listed(days.map(capitalised))}`;
    const spared = except.flatMap((event) => nounOf(event) ?? []);
    const unless = spared.length === 0 ? '' : `, except for ${listed(spared)}`;
    sentences.push(`Quiet hours from ${from} to ${to} (${timezone})${on}${unless}.`);
  }
  return sentences.join(' ');
}

/** Returns names as a list: `Ops, Chat and 3 more`. */
export function channelsWords(channels: readonly NotifiedChannelDto[]): string {
  if (channels.length === 0) return 'nobody';
  const names = channels.map(({ name, enabled }) => (enabled ? name : `${name} (disabled)`));
  if (names.length <= MOST_NAMES) return listed(names);
  return `${names.slice(0, MOST_NAMES - 1).join(', ')} and ${names.length - MOST_NAMES + 1} more`;
}

function nounOf(event: NotifiedEvent): string | undefined {
  return event in EVENT_NOUNS ? EVENT_NOUNS[event as keyof typeof EVENT_NOUNS] : undefined;
}

function lengthWords(seconds: number): string {
  return exactDuration(seconds * 1_000);
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
