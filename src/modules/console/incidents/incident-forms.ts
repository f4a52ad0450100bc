import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { validationFailed } from '../../../http/problems/problem.js';
import { isTimeZone, WANTS_TIME_ZONE } from '../../../http/body/time-zone.decorator.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { type FormShape } from '../form-state.js';
import { localField, momentOf } from '../moments.js';
import { MONITORS_FIELD, pickedIds } from '../picker/picked-ids.js';

/** What is shown or changed of an incident as a whole. */
export const INCIDENT_FORM: FormShape = {
  id: 'incident',
  labels: {
    '/title': 'What happened',
    '/impact': 'What it means for those who use it',
    '/monitorIds': 'Monitors it is about',
    '/startedAt': 'Began',
    '/resolvedAt': 'Ended',
    '/timezone': 'Time zone of these times',
    '/update/phase': 'How far the work on it is',
    '/update/text': 'First update',
  },
};
export const UPDATE_FORM: FormShape = {
  id: 'update',
  labels: { '/phase': 'How far the work on it is', '/text': 'Message', '/public': 'Who sees it' },
};
export const ACKNOWLEDGE_FORM: FormShape = { id: 'acknowledge', labels: { '/note': 'Note' } };

export const INCIDENT_DEFAULTS = { impact: 'degraded', phase: 'investigating', timezone: 'UTC' };

/** An incident as its form begins. */
export function incidentDefaults({ title, impact, startedAt, resolvedAt, monitorIds }: IncidentDto) {
  const times = { startedAt: localField(startedAt, 'UTC'), resolvedAt: localField(resolvedAt, 'UTC') };
  return { title, impact, ...times, timezone: 'UTC', [MONITORS_FIELD]: monitorIds.join() };
}

/** The body of the API that reports an incident. @throws 422 for a time zone that there is not */
export function reportBody(form: FormFields): JsonObject {
  const text = form.text('text').trim();
  return {
    ...incidentBody(form, null),
    ...(text !== '' && { update: { phase: form.text('phase'), text } }),
  };
}

/** The body of the API that changes one: of a detected one its title. @throws 422 for a time zone that there is not */
export function changeBody(form: FormFields, stored: IncidentDto): JsonObject {
  if (stored.kind === 'detected') return { title: form.text('title').trim() };
  const { monitorIds, ...rest } = incidentBody(form, stored);
  // Those that it names may be gone: what was not touched is not judged again.
  return monitorIds.join() === stored.monitorIds.join() ? rest : { ...rest, monitorIds };
}

function incidentBody(form: FormFields, stored: IncidentDto | null) {
  const timezone = form.text('timezone').trim();
  if (!isTimeZone(timezone)) {
    throw validationFailed([{ pointer: '/timezone', code: 'invalid_value', detail: `timezone ${WANTS_TIME_ZONE}` }]);
  }
  const startedAt = momentOf(form.text('startedAt'), timezone, stored?.startedAt ?? null);
  return {
    title: form.text('title').trim(),
    monitorIds: pickedIds(form.text(MONITORS_FIELD)),
    impact: form.text('impact'),
    // Left empty, one that is there keeps its beginning.
    ...((startedAt !== null || stored === null) && { startedAt }),
    resolvedAt: momentOf(form.text('resolvedAt'), timezone, stored?.resolvedAt ?? null),
  };
}

/** An update as its form begins: of what is over, a note opens nothing again. */
export function updateDefaults({ status }: IncidentDto): Record<string, string> {
  return { phase: status === 'open' ? 'investigating' : 'note', public: 'usual' };
}

const AUDIENCES: Readonly<Record<string, boolean>> = { everybody: true, team: false };

/** The body of the API that tells something about an incident. */
export function updateBody(form: FormFields): JsonObject {
  const isPublic = AUDIENCES[form.text('public')];
  return {
    phase: form.text('phase'),
    text: form.text('text').trim(),
    ...(isPublic !== undefined && { public: isPublic }),
  };
}

export const AUDIENCE_CHOICES = [
  { value: 'usual', label: 'status pages too, but for a note' },
  { value: 'everybody', label: 'status pages too' },
  { value: 'team', label: 'the team alone' },
];
