import { type FormFields } from '../../../http/body/form-fields.js';
import { type JsonObject } from '../../../http/body/json.js';
import { ProblemException, validationFailed } from '../../../http/problems/problem.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { PHASE_WORDS } from '../../../html/status-words.js';
import { type FormShape } from '../form-state.js';
import { type Choice } from '../html/fields.js';
import { localField, momentOf, timeZoneIn } from '../moments.js';
import { MONITORS_FIELD, pickedIds } from '../picker/picked-ids.js';
import { currentPhase, offeredPhases, stepsBack } from './incident-phases.js';

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
    '/update/text': 'Message',
    '/update/notifySubscribers': 'Notify subscribers',
  },
};
export const UPDATE_FORM: FormShape = {
  id: 'update',
  labels: {
    '/public': 'Visibility',
    '/phase': 'Status',
    '/text': 'Message',
    '/notifySubscribers': 'Notify subscribers',
  },
};
export const ACKNOWLEDGE_FORM: FormShape = { id: 'acknowledge', labels: { '/note': 'Note' } };

/** The field with the note of the acknowledgement as it was when the form was opened. */
export const OPENED_NOTE = 'opened';

export const INCIDENT_DEFAULTS = {
  impact: 'degraded',
  phase: 'investigating',
  timezone: 'UTC',
  notifySubscribers: 'on',
};

/** Returns the initial contents of the form that edits an incident. */
export function incidentDefaults({ title, impact, startedAt, resolvedAt, monitorIds }: IncidentDto) {
  const times = { startedAt: localField(startedAt, 'UTC'), resolvedAt: localField(resolvedAt, 'UTC') };
  return { title, impact, ...times, timezone: 'UTC', [MONITORS_FIELD]: monitorIds.join() };
}

/** Returns the API's body that creates an incident. Throws 422 for an unknown time zone. */
export function reportBody(form: FormFields): JsonObject {
  const text = form.text('text').trim();
  const isChecked = form.has('notifySubscribers');
  return {
    ...incidentBody(form, null),
    // Checked, the API decides: what is over is not mailed.
    ...(text !== '' && {
      update: { phase: form.text('phase'), text, ...(!isChecked && { notifySubscribers: false }) },
    }),
  };
}

/**
 * Returns the API's body that changes an incident; unless it is a manual one, only the title. Throws 422 for an unknown
 * time zone.
 */
export function changeBody(form: FormFields, stored: IncidentDto): JsonObject {
  if (stored.kind !== 'manual') return { title: form.text('title').trim() };
  const { monitorIds, ...rest } = incidentBody(form, stored);
  // An unchanged list must not be validated again, because its monitors may have been deleted since.
  return monitorIds.join() === stored.monitorIds.join() ? rest : { ...rest, monitorIds };
}

function incidentBody(form: FormFields, stored: IncidentDto | null) {
  const timezone = timeZoneIn(form);
  const startedAt = momentOf(form.text('startedAt'), timezone, stored?.startedAt ?? null);
  const resolvedAt = momentOf(form.text('resolvedAt'), timezone, stored?.resolvedAt ?? null);
  const isBefore = startedAt !== null && resolvedAt !== null && resolvedAt < startedAt;
  return {
    title: form.text('title').trim(),
    monitorIds: pickedIds(form.text(MONITORS_FIELD)),
    impact: form.text('impact'),
    // An empty field leaves the start of an existing incident unchanged.
    ...((startedAt !== null || stored === null) && { startedAt }),
    // Fields show minutes: an end in the minute of the start is not before it.
    resolvedAt: isBefore && form.text('resolvedAt') === form.text('startedAt') ? startedAt : resolvedAt,
  };
}

/** Returns the initial contents of the form that acknowledges an incident with a note. */
export function acknowledgeDefaults({ acknowledgeNote }: IncidentDto): Record<string, string> {
  const note = acknowledgeNote ?? '';
  return { note, [OPENED_NOTE]: note };
}

/**
 * Returns the API's body that acknowledges an incident. The button alone has no note, and must not erase one.
 * @throws 412 if someone has written another note since the form was opened
 */
export function acknowledgeBody(form: FormFields, { acknowledgeNote }: IncidentDto): JsonObject {
  if (!form.has('note')) return {};
  const note = linesOf(form.text('note'));
  const stored = linesOf(acknowledgeNote ?? '');
  if (stored !== linesOf(form.text(OPENED_NOTE)) && stored !== note) {
    throw new ProblemException(412, 'precondition_failed', 'The note has been changed in the meantime.');
  }
  return { note };
}

/** Browsers send line breaks as CRLF. */
function linesOf(text: string): string {
  return text.trim().replaceAll('\r\n', '\n');
}

/** Precedes a phase that the author has knowingly chosen as a step back. */
export const BACK = 'back:';
const INTERNAL = 'internal';

export const AUDIENCE_CHOICES: readonly Choice[] = [
  { value: 'public', label: 'Public update', help: 'visible on your status pages and in their feeds' },
  { value: INTERNAL, label: 'Internal note', help: 'visible to your team only; does not change the status' },
];

/** Returns the initial contents of the form that posts an update: a public one in the current phase. */
export function updateDefaults(incident: IncidentDto): Record<string, string> {
  return {
    phase: offeredPhases(incident).phases[0]!,
    public: 'public',
    ...(incident.status === 'open' && { notifySubscribers: 'on' }),
  };
}

/**
 * Returns the API's body that posts an update; for a drill, a note. Throws 422 if the phase is before the current one
 * and was not chosen as a step back, because somebody may have posted an update since the form was opened.
 */
export function updateBody(form: FormFields, incident: IncidentDto): JsonObject {
  const text = form.text('text').trim();
  if (form.text('public') === INTERNAL || incident.kind === 'drill') return { phase: 'note', text, public: false };
  const chosen = form.text('phase');
  if (stepsBack(chosen, incident)) {
    const detail = `The incident has reached “${PHASE_WORDS[currentPhase(incident)]}” in the meantime. Choose a status again.`;
    throw validationFailed([{ pointer: '/phase', code: 'invalid_value', detail }]);
  }
  const phase = chosen.startsWith(BACK) ? chosen.slice(BACK.length) : chosen;
  return { phase, text, public: true, notifySubscribers: form.has('notifySubscribers') };
}
