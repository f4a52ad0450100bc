import { type FormField } from '../../../domain/form-field.js';
import {
  DEFAULT_EVENTS,
  NOTIFIED_EVENTS,
  type NotifiedEvent,
  type Weekday,
  WEEKDAYS,
} from '../../../domain/notification-plan/policy.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import {
  type NotificationPolicyDto,
  type ShownQuietHoursDto,
} from '../../notification-policies/dto/notification-policy.dto.js';
import { inOrderOf, textOrNull } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { customField, durationOf } from '../html/duration-choice.js';
import { NOTIFICATIONS_PATH } from './channel-form.js';
import { MATCH_DEFAULTS, MATCH_LABELS, matchBody, matchOfForm, matchTexts } from './match-form.js';
import { BLANK_STEP, delayOf, stepsBody, stepsIn, storedSteps, withSteps } from './policy-steps.js';
import { type PolicyOutline } from './policy-words.js';

export const POLICIES_PATH = `${NOTIFICATIONS_PATH}/policies`;

export const EVENT_LABELS: Readonly<Record<NotifiedEvent, { label: string; help: string }>> = {
  down: { label: 'Outages', help: 'confirmed outages and their recovery; all steps apply' },
  degraded: { label: 'Degraded', help: 'a monitor becomes degraded or recovers' },
  unknown: { label: 'No data', help: 'a monitor has no results for 5 minutes, or has results again' },
  location_offline: {
    label: 'Location offline',
    help: 'nothing was checked for 5 minutes, or a location is offline or disagrees with the others',
  },
  channel_failing: { label: 'Channel failing', help: 'a notification channel has failed for 2 minutes' },
  manual_incident: { label: 'Manual incidents', help: 'someone reports or resolves an incident' },
  certificate_expiring: { label: 'Certificate expiring', help: '30, 14, 7, 3 and 1 days before it expires' },
  domain_expiring: { label: 'Domain expiring', help: '30, 14, 7, 3 and 1 days before it expires' },
  maintenance: { label: 'Maintenance', help: 'a window starts or ends' },
};

const AFTER: FormField = {
  pointer: '/afterSeconds',
  label: 'When',
  kind: 'seconds',
  usual: [60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 86_400],
  unset: 'None',
};
export const REPEAT: FormField = {
  pointer: '/repeatEverySeconds',
  label: 'Repeat the last step',
  kind: 'seconds',
  usual: [300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400],
  unset: 'Do not repeat',
  help: 'While the outage lasts and nobody has acknowledged it.',
};

/** The field that chooses whether there are quiet hours. */
export const QUIET_FIELD = 'hours';
const QUIET = 'quiet';
export const QUIET_CHOICES = [
  { value: 'none', label: 'Notify at any time' },
  { value: QUIET, label: 'Hold notifications during quiet hours' },
];

export function afterFieldOf(step: number): FormField {
  return { ...AFTER, pointer: `/steps/${step}/afterSeconds`, label: `Delay of step ${step + 1}` };
}

export function eventField(event: NotifiedEvent): string {
  return `on.${event}`;
}

export function exceptField(event: NotifiedEvent): string {
  return `except.${event}`;
}

export function dayField(day: Weekday): string {
  return `day.${day}`;
}

/** Returns the form of a policy with a number of steps, which assigns faults to fields. */
export function policyForm(stepCount: number): FormShape {
  const places = Array.from({ length: stepCount }, (_, step) => step);
  const steps = places.flatMap((step) => [
    [`/steps/${step}`, `Step ${step + 1}`],
    [`/steps/${step}/afterSeconds`, `Delay of step ${step + 1}`],
    [`/steps/${step}/channelIds`, `Channels of step ${step + 1}`],
  ]);
  return {
    id: 'policy',
    labels: {
      '/name': 'Name',
      '/enabled': 'Enabled',
      ...MATCH_LABELS,
      '/on': 'Events',
      '/steps': 'Steps',
      ...(Object.fromEntries(steps) as Record<string, string>),
      '/repeatEverySeconds': REPEAT.label,
      '/quietHours': 'Quiet hours',
      '/quietHours/from': 'From',
      '/quietHours/to': 'To',
      '/quietHours/timezone': 'Time zone',
      '/quietHours/days': 'Days',
      '/quietHours/except': 'Always notify about',
      '/key': 'Key',
    },
    durations: Object.fromEntries(
      ['/repeatEverySeconds', ...places.map((step) => `/steps/${step}/afterSeconds`)].map((one) => [one, 1_000]),
    ),
  };
}

const HOURS_DEFAULTS = { from: '22:00', to: '07:00', timezone: 'UTC', ...marks(WEEKDAYS.map(dayField)) };

/** The initial contents of the form of a new policy. */
export const POLICY_DEFAULTS: Record<string, string> = withSteps(
  {
    ...MATCH_DEFAULTS,
    ...HOURS_DEFAULTS,
    ...marks(DEFAULT_EVENTS.map(eventField)),
    ...marks([exceptField('down')]),
    enabled: 'on',
    [QUIET_FIELD]: 'none',
  },
  [BLANK_STEP],
);

/** Returns the initial contents of the form that edits a policy. */
export function policyTexts(policy: NotificationPolicyDto): Record<string, string> {
  const { name, key, enabled, match, on, steps, repeatEverySeconds, quietHours } = policy;
  const hours = quietHours && {
    from: quietHours.from,
    to: quietHours.to,
    timezone: quietHours.timezone,
    ...marks(quietHours.days.map(dayField)),
    ...marks(quietHours.except.map(exceptField)),
  };
  const fields = {
    name,
    key: key ?? '',
    enabled: enabled ? 'on' : '',
    ...matchTexts(match),
    ...marks(on.map(eventField)),
    repeatEverySeconds: repeatEverySeconds === null ? '' : String(repeatEverySeconds),
    [QUIET_FIELD]: hours ? QUIET : 'none',
    ...(hours ?? { ...HOURS_DEFAULTS, ...marks([exceptField('down')]) }),
  };
  return withSteps(fields, storedSteps(steps));
}

/** Returns the API's body that creates or changes a policy. `stored` is the policy to change; null for a new one. */
export function policyBody(form: FormFields, stored: NotificationPolicyDto | null): JsonObject {
  const hours = hoursOf(form, stored);
  return {
    name: form.text('name').trim(),
    key: textOrNull(form.text('key')),
    enabled: form.text('enabled') !== '',
    match: matchBody(form, stored?.match),
    on: eventsOf(form, stored),
    steps: stepsBody(form, stored?.steps),
    repeatEverySeconds: repeatOf(form),
    quietHours: hours && { ...hours },
  };
}

/** Returns what the policy of an unfinished form does. */
export function outlineOf(form: FormFields, stored: NotificationPolicyDto | null): PolicyOutline {
  const repeat = repeatOf(form);
  return {
    match: matchOfForm(form, stored?.match),
    on: eventsOf(form, stored),
    steps: stepsIn(form.record()).map((step) => {
      const delay = delayOf(step);
      return { afterSeconds: typeof delay === 'number' ? delay : null, channelIds: step.channelIds };
    }),
    repeatEverySeconds: typeof repeat === 'number' ? repeat : null,
    quietHours: hoursOf(form, stored),
  };
}

function eventsOf(form: FormFields, stored: NotificationPolicyDto | null): NotifiedEvent[] {
  return inOrderOf(
    stored?.on,
    NOTIFIED_EVENTS.filter((event) => form.has(eventField(event))),
  );
}

function repeatOf(form: FormFields): number | string | null {
  const name = 'repeatEverySeconds';
  return durationOf('seconds', form.text(name), form.text(customField(name))) as number | string | null;
}

function hoursOf(form: FormFields, stored: NotificationPolicyDto | null): ShownQuietHoursDto | null {
  if (form.text(QUIET_FIELD) !== QUIET) return null;
  return {
    timezone: form.text('timezone').trim(),
    days: inOrderOf(
      stored?.quietHours?.days,
      WEEKDAYS.filter((day) => form.has(dayField(day))),
    ),
    from: form.text('from').trim(),
    to: form.text('to').trim(),
    except: inOrderOf(
      stored?.quietHours?.except,
      NOTIFIED_EVENTS.filter((event) => form.has(exceptField(event))),
    ),
  };
}

function marks(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, 'on']));
}
