import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { Buttons } from '../html/fields.js';
import { Form } from '../html/form.js';
import { Icon } from '../html/icon.js';
import { MenuButton, MenuLink, MoreMenu } from '../html/menu.js';
import { Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { OPENED_NOTE } from './incident-forms.js';
import { isAcknowledged } from './incident-words.js';

interface ToolsProps {
  frame: PageFrame;
  incident: IncidentDto;
  path: string;
}

/** When the page was rendered. The script follows the incident, and then shows that the page is live. */
export function FollowStatus({ frame, path, version }: Omit<ToolsProps, 'incident'> & { version: string }) {
  return (
    <p class="quiet live" data-follow={path} data-version={version} data-now={frame.nowMs}>
      <span data-live-word>
        As of <Time at={new Date(frame.nowMs)} seconds />.
      </span>{' '}
      <a href={path} data-live-reload>
        Reload
      </a>
    </p>
  );
}

/** The actions on an incident, the most urgent one first. */
export function IncidentTools({ frame, incident, path }: ToolsProps) {
  const isManual = incident.kind === 'manual';
  const isDrill = incident.kind === 'drill';
  const isOpen = incident.status === 'open';
  const awaitsPerson = isOpen && !isAcknowledged(incident, frame.nowMs);
  return (
    <div class="buttons" data-swap="tools">
      {awaitsPerson && (
        <Form frame={frame} action={`${path}/acknowledge`} class="inline">
          <button class="button" type="submit">
            <Icon name="check" />
            Acknowledge
          </button>
        </Form>
      )}
      {isOpen && (isManual || isDrill) && (
        <Form frame={frame} action={`${path}/resolve`} class="inline">
          <button class={awaitsPerson ? 'button plain' : 'button'} type="submit">
            {isDrill ? 'End drill' : 'Resolve'}
          </button>
        </Form>
      )}
      {(!isDrill || (isOpen && !awaitsPerson)) && (
        <MoreMenu>
          {!isDrill && <MenuLink href={`${path}/edit`} icon="pencil" label={isManual ? 'Edit' : 'Edit title'} />}
          {isOpen && !awaitsPerson && (
            <Form frame={frame} action={`${path}/unacknowledge`}>
              <MenuButton icon="refresh-cw" label="Unacknowledge" />
            </Form>
          )}
          {isManual && !isOpen && (
            <Form frame={frame} action={`${path}/reopen`}>
              <MenuButton icon="refresh-cw" label="Reopen" />
            </Form>
          )}
        </MoreMenu>
      )}
    </div>
  );
}

/** A form that acknowledges an incident with a note, or changes the note of an acknowledgement that has not expired. */
export function NoteForm({ frame, incident, path, form }: ToolsProps & { form: FormState }) {
  const isOver = incident.status === 'resolved';
  const isKnown = isOver ? incident.acknowledgedAt !== null : isAcknowledged(incident, frame.nowMs);
  if (!isKnown && isOver) return null;
  const isStale = form.status === 412;
  const opened = isStale ? (incident.acknowledgeNote ?? '') : form.text(OPENED_NOTE);
  return (
    <details open={form.faults.length > 0}>
      <summary>{isKnown ? 'Edit note' : 'Acknowledge with note'}</summary>
      <Form frame={frame} action={`${path}/acknowledge`}>
        {isStale && (
          <p class="warning">
            Your note is still in the form. Compare it with that in the timeline, then save again to replace it.
          </p>
        )}
        <input type="hidden" name={OPENED_NOTE} value={opened} />
        <AreaField form={form} pointer="/note" help="Visible to your team only." />
        <Buttons>
          <button class="button plain" type="submit">
            {isKnown ? 'Save note' : 'Acknowledge with note'}
          </button>
        </Buttons>
      </Form>
    </details>
  );
}
