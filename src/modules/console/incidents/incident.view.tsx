import { includesRole } from '../../../domain/role.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { authorWords, type People } from '../author-words.js';
import { type FormState } from '../form-state.js';
import { page } from '../html/layout.js';
import { Time } from '../html/time.js';
import { State } from '../html/state.js';
import { type PageFrame } from '../page-frame.js';
import { MonitorLinks } from '../picker/monitor-links.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { Cause } from './incident-cause.view.js';
import { Story } from './incident-story.js';
import { AcknowledgeForm, ResolveForm, TellForm, Updates } from './incident-updates.view.js';
import { IMPACT_CHOICES, incidentMark, KIND_WORDS } from './incident-words.js';
import { INCIDENTS_PATH } from './incidents.view.js';

export interface IncidentProps {
  incident: IncidentDto;
  monitors: readonly NamedMonitor[];
  people: People;
  /** The incident that it follows from. */
  parent: IncidentDto | null;
  tell: FormState;
  acknowledge: FormState;
  /** The form that was sent and refused, if any. */
  refused: FormState | undefined;
}

const DONE: Readonly<Record<string, string>> = {
  reported: 'Incident reported.',
  changed: 'Incident saved.',
  told: 'Update posted.',
  acknowledged: 'Incident acknowledged.',
  resolved: 'Incident resolved.',
};

/** Renders the page of an incident, with the actions on it. */
export function renderIncident(frame: PageFrame, props: IncidentProps): string {
  const { incident, refused } = props;
  const path = `${INCIDENTS_PATH}/${incident.id}`;
  const mayWrite = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: incident.title,
    section: 'Incidents',
    done: DONE[frame.done],
    form: refused,
    children: (
      <>
        <Story incident={incident} monitors={props.monitors} nowMs={frame.nowMs} />
        <Facts {...props} />
        {mayWrite && (
          <p>
            <a class="button plain" href={`${path}/edit`}>
              {incident.kind === 'manual' ? 'Edit incident' : 'Edit title'}
            </a>
          </p>
        )}
        <Cause frame={frame} incident={incident} />
        <Updates incident={incident} people={props.people} />
        {mayWrite && (
          <>
            <TellForm frame={frame} incident={incident} path={path} form={props.tell} />
            {(incident.status === 'open' || incident.acknowledgedAt !== null) && (
              <AcknowledgeForm frame={frame} incident={incident} path={path} form={props.acknowledge} />
            )}
            <ResolveForm frame={frame} incident={incident} path={path} />
          </>
        )}
        <p>
          <a href={INCIDENTS_PATH}>All incidents</a>
        </p>
      </>
    ),
  });
}

function Facts({ incident, monitors, people, parent }: IncidentProps) {
  const { mark, word } = incidentMark(incident);
  const { acknowledgedAt, acknowledgedBy, acknowledgeNote } = incident;
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <State mark={mark} word={word} />
      </dd>
      <dt>Impact</dt>
      <dd>{IMPACT_CHOICES.find(({ value }) => value === incident.impact)?.label ?? incident.impact}</dd>
      <dt>Source</dt>
      <dd>{KIND_WORDS[incident.kind]}</dd>
      <dt>Affected monitors</dt>
      <dd>
        <MonitorLinks monitors={monitors} none="deleted monitors" />
      </dd>
      {parent && (
        <>
          <dt>Caused by</dt>
          <dd>
            <a href={`${INCIDENTS_PATH}/${parent.id}`} dir="auto">
              {parent.title}
            </a>
          </dd>
        </>
      )}
      <dt>Acknowledged</dt>
      <dd>
        {acknowledgedAt === null ? (
          'Not yet'
        ) : (
          <>
            By <span dir="auto">{authorWords(acknowledgedBy ?? '', people)}</span>, <Time at={acknowledgedAt} />
            {acknowledgeNote !== null && acknowledgeNote !== '' && <span dir="auto">: {acknowledgeNote}</span>}
          </>
        )}
      </dd>
    </dl>
  );
}
