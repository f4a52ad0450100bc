import { PHASE_WORDS } from '../../../html/status-words.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { authorWords, type People } from '../author-words.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, RadioField, SelectField, TextField } from '../html/fields.js';
import { ActionButton, Form } from '../html/form.js';
import { Empty } from '../html/table.js';
import { Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { AUDIENCE_CHOICES } from './incident-forms.js';
import { phaseChoices } from './incident-words.js';

/** The updates of an incident, newest first. */
export function Updates({ incident: { updates }, people }: { incident: IncidentDto; people: People }) {
  return (
    <section aria-labelledby="updates">
      <h2 id="updates">Updates</h2>
      {updates.length === 0 ? (
        <Empty>No updates yet. Updates tell readers of your status pages that you are working on it.</Empty>
      ) : (
        <ol class="told">
          {updates.toReversed().map(({ id, at, phase, text, author, public: isPublic }) => (
            <li key={id}>
              <strong>{PHASE_WORDS[phase]}</strong>
              <span class="quiet">
                {' '}
                <Time at={at} />, by <span dir="auto">{authorWords(author, people)}</span>,{' '}
                {isPublic ? 'public' : 'internal'}
              </span>
              <p dir="auto">{text}</p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface ActionProps {
  frame: PageFrame;
  incident: IncidentDto;
  path: string;
}

/** A form that posts an update. */
export function TellForm({ frame, incident, path, form }: ActionProps & { form: FormState }) {
  const isDetected = incident.kind === 'detected' && incident.status === 'open';
  return (
    <section aria-labelledby="tell">
      <h2 id="tell">Post an update</h2>
      {incident.kind === 'manual' && incident.status === 'resolved' && (
        <p class="quiet">Any update other than “Resolved” and “Note” reopens the incident.</p>
      )}
      {isDetected && <p class="quiet">This incident resolves automatically once checks pass again.</p>}
      <Form frame={frame} action={`${path}/updates`}>
        <RadioField form={form} pointer="/phase" choices={phaseChoices(incident)} />
        <AreaField form={form} pointer="/text" required />
        <SelectField form={form} pointer="/public" choices={AUDIENCE_CHOICES} />
        <Buttons>
          <button class="button" type="submit">
            Post update
          </button>
        </Buttons>
      </Form>
      <WithCurl
        id="tell-curl"
        command={curlLine('POST', `${frame.origin}/v1/incidents/${incident.id}/updates`, {
          body: { phase: 'identified', text: 'A faulty release; we are rolling back.' },
        })}
      />
    </section>
  );
}

/** A form that acknowledges an incident, or changes the note of the acknowledgement. */
export function AcknowledgeForm({ frame, incident, path, form }: ActionProps & { form: FormState }) {
  return (
    <section aria-labelledby="acknowledge">
      <h2 id="acknowledge">{incident.acknowledgedAt === null ? 'Acknowledge' : 'Change note'}</h2>
      <Form frame={frame} action={`${path}/acknowledge`}>
        <TextField form={form} pointer="/note" help="Optional. Visible to your team only." />
        <Buttons>
          <button class="button plain" type="submit">
            {incident.acknowledgedAt === null ? 'Acknowledge' : 'Save note'}
          </button>
        </Buttons>
      </Form>
      <WithCurl
        id="acknowledge-curl"
        command={curlLine('POST', `${frame.origin}/v1/incidents/${incident.id}/acknowledge`, {
          body: { note: 'On it.' },
        })}
      />
    </section>
  );
}

/** A button that resolves a manual incident without a message. */
export function ResolveForm({ frame, incident: { id, kind, status }, path }: ActionProps) {
  if (kind !== 'manual' || status !== 'open') return null;
  return (
    <section aria-labelledby="resolve">
      <h2 id="resolve">Resolve</h2>
      <p class="quiet">
        Resolves the incident now, without a message. To add one, post an update with the status “Resolved”.
      </p>
      <div>
        <ActionButton frame={frame} action={`${path}/resolve`} label="Resolve now" />
      </div>
      <WithCurl
        id="resolve-curl"
        command={curlLine('PATCH', `${frame.origin}/v1/incidents/${id}`, {
          body: { resolvedAt: new Date(frame.nowMs).toISOString() },
        })}
      />
    </section>
  );
}
