import { SECOND_MS } from '../../../domain/durations.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { listedOr, textOrNull, wholeOr } from '../field-values.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';
import { localField, momentOf } from '../moments.js';
import { MONITORS_FIELD, pickedIds } from '../picker/picked-ids.js';
import { recurrenceFields, recurrenceRule } from './recurrence-form.js';

export const WINDOW_FORM: FormShape = {
  id: 'window',
  labels: {
    '/name': 'Name',
    '/description': 'Description',
    '/monitorIds': 'Monitors',
    '/tags': 'Tags',
    '/startsAt': 'Starts',
    '/endsAt': 'Ends',
    '/timezone': 'Time zone',
    '/recurs': 'Repeats',
    '/rrule': 'Recurrence rule',
    '/public': 'Show on status pages',
    '/notifySubscribers': 'Notify subscribers of these status pages',
  },
};

/** Returns the form with this choice of a recurrence. All choices but one hide the field of the rule. */
export function windowForm(recurs: string): FormShape {
  return recurs === 'rule' ? WINDOW_FORM : { ...WINDOW_FORM, writtenBy: { '/rrule': '/recurs' } };
}

export const START_FORM: FormShape = { id: 'start', labels: { '/durationSeconds': 'Duration' } };

export const WINDOW_DEFAULTS = { recurs: 'none', timezone: 'UTC', public: 'on', notifySubscribers: 'auto' };

export const AUDIENCE_CHOICES: readonly Choice[] = [
  { value: 'auto', label: 'Unless it repeats' },
  { value: 'yes', label: 'Yes', help: 'when the window is scheduled or rescheduled, starts and ends' },
  { value: 'no', label: 'No' },
];

/** What the choice stores; null for the default. */
const NOTIFIES: Readonly<Record<string, boolean | null>> = { auto: null, yes: true, no: false };

/** Returns the initial contents of the form that edits a window. */
export function windowDefaults(window: MaintenanceWindowDto): Record<string, string> {
  const { name, description, monitorIds, tags, startsAt, endsAt, timezone, rrule } = window;
  const starts = localField(startsAt, timezone);
  return {
    name,
    description: description ?? '',
    tags: tags.join(', '),
    [MONITORS_FIELD]: monitorIds.join(),
    startsAt: starts,
    endsAt: localField(endsAt, timezone),
    timezone,
    ...recurrenceFields(rrule, starts),
    ...(window.public && { public: 'on' }),
    notifySubscribers: window.notifySubscribers ? 'yes' : 'no',
  };
}

/** Returns the API's body that creates or changes a window. `stored` is the window to change; null for a new one. */
export function windowBody(form: FormFields, stored: MaintenanceWindowDto | null): JsonObject {
  const timezone = form.text('timezone').trim();
  return {
    name: form.text('name').trim(),
    description: textOrNull(form.text('description')),
    monitorIds: pickedIds(form.text(MONITORS_FIELD)),
    tags: listedOr(stored?.tags, form.text('tags')),
    startsAt: momentOf(form.text('startsAt'), timezone, stored?.startsAt),
    endsAt: momentOf(form.text('endsAt'), timezone, stored?.endsAt),
    timezone,
    rrule: recurrenceRule(form),
    public: form.has('public'),
    notifySubscribers: NOTIFIES[form.text('notifySubscribers')] ?? null,
  };
}

/**
 * Returns the API's body that moves the end of an active window. The API expects the duration from now, and a shorter one
 * than before would end the window early, so people choose how much longer it lasts.
 */
export function extensionBody(form: FormFields, window: MaintenanceWindowDto, nowMs: number): JsonObject {
  const minutes = wholeOr(form.text('durationSeconds').trim());
  return { durationSeconds: typeof minutes === 'number' ? extendedSeconds(window, minutes, nowMs) : minutes };
}

/** Returns the time until some minutes after the end of an active window; after now, if it has ended. */
export function extendedSeconds(
  { activeUntil }: Pick<MaintenanceWindowDto, 'activeUntil'>,
  minutes: number,
  nowMs: number,
): number {
  const endMs = Math.max(nowMs, activeUntil === null ? nowMs : Date.parse(activeUntil));
  return Math.ceil((endMs - nowMs) / SECOND_MS) + minutes * 60;
}

/** Returns the API's body that starts a window manually. */
export function startBody(form: FormFields): JsonObject {
  const text = form.text('durationSeconds').trim();
  if (text === '') return {};
  const minutes = wholeOr(text);
  return { durationSeconds: typeof minutes === 'number' ? minutes * 60 : minutes };
}
