import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { validationFailed } from '../../../http/problems/problem.js';
import { isTimeZone, TIME_ZONE_RULE } from '../../../http/body/time-zone.decorator.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { type FormShape } from '../form-state.js';
import { localField, momentOf } from '../moments.js';
import { MONITORS_FIELD, pickedIds } from '../picker/picked-ids.js';

/** The form of an incident, without its updates. */
export const INCIDENT_FORM: FormShape = {
  id: 'incident',
  labels: {
    '/title': 'Title',
    '/impact': 'Impact',
    '/monitorIds': 'Affected monitors',
    '/startedAt': 'Started',
    '/resolvedAt': 'Resolved',
    '/timezone': 'Time zone',
    '/update/phase': 'Status',
    '/update/text': 'First update',
  },
};
export const UPDATE_FORM: FormShape = {
  id: 'update',
  labels: { '/phase': 'Status', '/text': 'Message', '/public': 'Visibility' },
};
export const ACKNOWLEDGE_FORM: FormShape = { id: 'acknowledge', labels: { '/note': 'Note' } };

export const INCIDENT_DEFAULTS = { impact: 'degraded', phase: 'investigating', timezone: 'UTC' };

/** Returns the initial contents of the form that edits an incident. */
export function incidentDefaults({ title, impact, startedAt, resolvedAt, monitorIds }: IncidentDto) {
  const times = { startedAt: localField(startedAt, 'UTC'), resolvedAt: localField(resolvedAt, 'UTC') };
  return { title, impact, ...times, timezone: 'UTC', [MONITORS_FIELD]: monitorIds.join() };
}

/** Returns the API's body that creates an incident. Throws 422 for an unknown time zone. */
export function reportBody(form: FormFields): JsonObject {
  const text = form.text('text').trim();
  return {
    ...incidentBody(form, null),
    ...(text !== '' && { update: { phase: form.text('phase'), text } }),
  };
}

/**
 * Returns the API's body that changes an incident; for a detected one, only the title. Throws 422 for an unknown time
 * zone.
 */
export function changeBody(form: FormFields, stored: IncidentDto): JsonObject {
  if (stored.kind === 'detected') return { title: form.text('title').trim() };
  const { monitorIds, ...rest } = incidentBody(form, stored);
  // An unchanged list must not be validated again, because its monitors may have been deleted since.
  return monitorIds.join() === stored.monitorIds.join() ? rest : { ...rest, monitorIds };
}

function incidentBody(form: FormFields, stored: IncidentDto | null) {
  const timezone = form.text('timezone').trim();
  if (!isTimeZone(timezone)) {
    throw validationFailed([{ pointer: '/timezone', code: 'invalid_value', detail: `timezone ${TIME_ZONE_RULE}` }]);
  }
  const startedAt = momentOf(form.text('startedAt'), timezone, stored?.startedAt ?? null);
  return {
    title: form.text('title').trim(),
    monitorIds: pickedIds(form.text(MONITORS_FIELD)),
    impact: form.text('impact'),
    // An empty field leaves the start of an existing incident unchanged.
    ...((startedAt !== null || stored === null) && { startedAt }),
    resolvedAt: momentOf(form.text('resolvedAt'), timezone, stored?.resolvedAt ?? null),
  };
}

/**
 * Returns the initial contents of the form that posts an update. After an incident is resolved it suggests a note,
 * which does not reopen it.
 */
export function updateDefaults({ status }: IncidentDto): Record<string, string> {
  return { phase: status === 'open' ? 'investigating' : 'note', public: 'usual' };
}

const AUDIENCES: Readonly<Record<string, boolean>> = { everybody: true, team: false };

/** Returns the API's body that posts an update. */
export function updateBody(form: FormFields): JsonObject {
  const isPublic = AUDIENCES[form.text('public')];
  return {
    phase: form.text('phase'),
    text: form.text('text').trim(),
    ...(isPublic !== undefined && { public: isPublic }),
  };
}

export const AUDIENCE_CHOICES = [
  { value: 'usual', label: 'Public, except for notes' },
  { value: 'everybody', label: 'Public' },
  { value: 'team', label: 'Internal' },
];
