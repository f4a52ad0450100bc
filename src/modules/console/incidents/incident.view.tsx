import { includesRole } from '../../../domain/role.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { WithCurl } from '../html/copy.js';
import { FORMS_SCRIPT } from '../html/form-assets.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { FOLLOW_SCRIPT, INCIDENT_STYLES } from './assets.js';
import { Facts, type ShownIncident } from './incident-facts.view.js';
import { currentPhase } from './incident-phases.js';
import { Story } from './incident-story.js';
import { Timeline } from './incident-timeline.view.js';
import { FollowStatus, IncidentTools, NoteForm } from './incident-tools.view.js';
import { UpdateForm } from './incident-update.view.js';
import { incidentMark, isHandled, KIND_WORDS } from './incident-words.js';
import { INCIDENTS_PATH } from './incidents.view.js';

interface IncidentPageProps extends ShownIncident {
  /** Changes with the incident. */
  version: string;
  update: FormState;
  /** How many subscribers are emailed a public update. */
  recipients: number;
  acknowledge: FormState;
  /** The form that was sent and refused, if any. */
  refused: FormState | undefined;
}

const DONE: Readonly<Record<string, string>> = {
  reported: 'Incident reported.',
  changed: 'Incident saved.',
  posted: 'Update posted.',
  acknowledged: 'Incident acknowledged.',
  noted: 'Note saved.',
  unacknowledged: 'Incident unacknowledged. Notifications continue.',
  resolved: 'Incident resolved.',
  drilling: 'Drill started. The notifications appear below as they are sent.',
  ended: 'Drill ended.',
  reopened: 'Incident reopened.',
};

/** Renders the page of an incident, with the actions on it. */
export function renderIncident(frame: PageFrame, props: IncidentPageProps): string {
  const { incident, refused, version } = props;
  const path = `${INCIDENTS_PATH}/${incident.id}`;
  const mayWrite = includesRole(frame.who!.role, 'editor');
  const { mark } = incidentMark(incident);
  return page(frame, {
    title: incident.title,
    tag: incident.kind === 'drill' ? KIND_WORDS.drill : undefined,
    section: 'Incidents',
    trail: [{ label: 'Incidents', href: INCIDENTS_PATH }],
    mark,
    done: DONE[frame.done],
    form: refused,
    styles: INCIDENT_STYLES,
    scripts: [FOLLOW_SCRIPT, FORMS_SCRIPT],
    tools: (
      <>
        <FollowStatus frame={frame} path={path} version={version} />
        {mayWrite && <IncidentTools frame={frame} incident={incident} path={path} />}
      </>
    ),
    children: (
      <>
        <div class={`standing ${mark}${isHandled(incident, frame.nowMs) ? ' acknowledged' : ''}`} data-swap="standing">
          <Story incident={incident} monitors={props.monitors} people={props.people} nowMs={frame.nowMs} />
        </div>
        <div class="sided">
          <aside class="card" aria-label="Facts">
            <Facts {...props} nowMs={frame.nowMs} />
            {mayWrite && <NoteForm frame={frame} incident={incident} path={path} form={props.acknowledge} />}
          </aside>
          <div class="course">
            <Timeline incident={incident} people={props.people} outcomes={props.outcomes} path={path} />
            {mayWrite && (
              <UpdateForm
                frame={frame}
                incident={incident}
                path={path}
                form={props.update}
                recipients={props.recipients}
              />
            )}
          </div>
        </div>
        <WithCurl id="incident-curl" command={commandsOf(frame, incident)} />
      </>
    ),
  });
}

function exampleUpdate(incident: IncidentDto): object {
  if (incident.kind === 'drill') return { text: 'The phone rang after 20 seconds.' };
  return incident.status === 'open'
    ? { phase: currentPhase(incident), text: 'A **faulty release**; we are rolling back.' }
    : { phase: 'postmortem', text: 'A faulty release was rolled back after 12 minutes.' };
}

/** Returns the commands for what the page shows and does. */
function commandsOf({ origin, nowMs }: PageFrame, incident: IncidentDto): string {
  const url = `${origin}/v1/incidents/${incident.id}`;
  const isOpen = incident.status === 'open';
  const commands = [
    curlLine('GET', url),
    curlLine('GET', `${url}/notifications`),
    curlLine('POST', `${url}/updates`, { body: exampleUpdate(incident) }),
  ];
  if (isHandled(incident, nowMs)) commands.push(curlLine('POST', `${url}/unacknowledge`));
  else if (isOpen) commands.push(curlLine('POST', `${url}/acknowledge`, { body: { note: 'On it.' } }));
  if (incident.kind === 'manual' || (incident.kind === 'drill' && isOpen)) {
    const resolvedAt = isOpen ? new Date(nowMs).toISOString() : null;
    commands.push(curlLine('PATCH', url, { body: { resolvedAt } }));
  }
  return commands.join('\n');
}
