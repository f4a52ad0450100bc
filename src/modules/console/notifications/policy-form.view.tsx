import { NOTIFIED_EVENTS, WEEKDAYS } from '../../../domain/notification-plan/policy.js';
import { type NotificationPolicyDto } from '../../notification-policies/dto/notification-policy.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { CheckField } from '../html/check-field.js';
import { renderConfirm } from '../html/confirm.view.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, Errors, RadioField, TextField } from '../html/fields.js';
import { FORMS_SCRIPT } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { ZoneField } from '../html/zone-field.js';
import { Group } from '../monitors/form/group.js';
import { type PageFrame } from '../page-frame.js';
import { EnterButton } from '../picker/hits.js';
import { Revision } from '../revision.js';
import { SettingsNavigation } from '../settings/settings-navigation.js';
import { NOTIFICATION_STYLES, SENTENCE_SCRIPT } from './assets.js';
import { NOTIFICATIONS_PATH } from './channel-form.js';
import { MatchFields, type MatchFieldsProps } from './match-fields.js';
import {
  dayField,
  EVENT_LABELS,
  eventField,
  exceptField,
  POLICIES_PATH,
  QUIET_CHOICES,
  QUIET_FIELD,
} from './policy-form.js';
import { PolicySteps, type PolicyStepsProps } from './policy-steps.view.js';
import { capitalised, EVENT_NAMES } from './policy-words.js';

const TRAIL = [{ label: 'Notifications', href: NOTIFICATIONS_PATH }];
const API_PATH = '/v1/notification-policies';
const EXAMPLE = {
  name: 'Production',
  match: { tags: ['production'] },
  steps: [
    { afterSeconds: 0, channelIds: ['key:slack-ops'] },
    { afterSeconds: 300, channelIds: ['key:pagerduty'] },
  ],
};

export interface PolicyEditorProps extends Omit<MatchFieldsProps, 'action'>, Omit<PolicyStepsProps, 'form' | 'action'> {
  /** The policy to edit; null for a new one. */
  stored: NotificationPolicyDto | null;
  /** What the policy of the form does. */
  sentence: string;
}

/** Renders the form that creates or edits a policy. */
export function renderPolicyEditor(frame: PageFrame, props: PolicyEditorProps): string {
  const { form, stored, sentence } = props;
  const action = stored ? `${POLICIES_PATH}/${stored.id}/edit` : `${POLICIES_PATH}/new`;
  const api = frame.origin + API_PATH;
  const curl = stored
    ? curlLine('PATCH', `${api}/${stored.id}`, { body: { enabled: false } })
    : curlLine('POST', api, { body: EXAMPLE });
  return page(frame, {
    title: stored ? `Edit ${stored.name}` : 'New policy',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    trail: TRAIL,
    form,
    styles: NOTIFICATION_STYLES,
    scripts: [FORMS_SCRIPT, SENTENCE_SCRIPT],
    children: (
      <>
        <Form frame={frame} action={action} class="form wide" guards={form}>
          <EnterButton />
          {stored && <Revision form={form} revision={stored.revision} stored={NOTIFICATIONS_PATH} />}
          <div class="group">
            <TextField form={form} pointer="/name" help="As it appears in lists, such as Production." required />
            <CheckField form={form} pointer="/enabled" help="A disabled policy notifies nobody." />
          </div>
          <MatchFields {...props} action={action} />
          <Events form={form} />
          <PolicySteps {...props} action={action} />
          <QuietHours form={form} isOpen={!stored?.quietHours && !form.isSent} />
          <Group form={form} title="Key" brief={form.text('key') || 'no key'} pointers={['/key']}>
            <TextField
              form={form}
              pointer="/key"
              help="Optional. A stable identifier that pipelines can use instead of the ID, such as production."
            />
          </Group>
          <Sentence action={action} sentence={sentence} />
          <Buttons>
            <button class="button" type="submit" name="do" value="save">
              {stored ? 'Save' : 'Create policy'}
            </button>
            <a href={NOTIFICATIONS_PATH}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl id="policy-curl" command={curl} />
      </>
    ),
  });
}

/** What the policy does. The script updates it while the form is edited; without it, a button does. */
function Sentence({ action, sentence }: { action: string; sentence: string }) {
  return (
    <div class="sentence" id="what-it-does" tabIndex={-1} data-sentence>
      <h2>What this policy does</h2>
      {/* The region must stay in place, so that screen readers announce what is replaced in it. */}
      <div aria-live="polite">
        <p dir="auto" data-swap="sentence">
          {sentence}
        </p>
      </div>
      <button
        class="button plain small"
        type="submit"
        name="do"
        value="refresh"
        formaction={`${action}#what-it-does`}
        formnovalidate
        data-without-script
      >
        Update
      </button>
    </div>
  );
}

function Events({ form }: { form: FormState }) {
  const id = form.idOf('/on');
  const errors = form.errorsAt('/on');
  return (
    <fieldset class="group" id={id} tabIndex={-1} aria-describedby={errors.length > 0 ? `${id}-error` : undefined}>
      <legend>{form.labelOf('/on')}</legend>
      <p class="help">What the policy notifies about.</p>
      <Errors id={id} errors={errors} />
      <div class="event-choices">
        {NOTIFIED_EVENTS.map((event) => (
          <label key={event} class="choice">
            <input type="checkbox" name={eventField(event)} checked={form.text(eventField(event)) !== ''} />
            <span>
              {EVENT_LABELS[event].label} <span class="help">{EVENT_LABELS[event].help}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function QuietHours({ form, isOpen }: { form: FormState; isOpen: boolean }) {
  return (
    <div class="group reveals">
      <RadioField form={form} pointer="/quietHours" name={QUIET_FIELD} choices={QUIET_CHOICES} />
      <div class="when when-quiet">
        <div class="match">
          <div class="columns">
            <TextField form={form} pointer="/quietHours/from" type="time" />
            <TextField form={form} pointer="/quietHours/to" type="time" />
            <ZoneField form={form} pointer="/quietHours/timezone" isOpen={isOpen} />
          </div>
          <Boxes
            form={form}
            pointer="/quietHours/days"
            help="Quiet hours that pass midnight belong to the day on which they start."
            boxes={WEEKDAYS.map((day) => [dayField(day), capitalised(day)])}
          />
          <Boxes
            form={form}
            pointer="/quietHours/except"
            help="Sent during quiet hours, too. The recovery message for an alert that was sent is never held."
            boxes={NOTIFIED_EVENTS.map((event) => [exceptField(event), capitalised(EVENT_NAMES[event])])}
          />
        </div>
      </div>
    </div>
  );
}

interface BoxesProps {
  form: FormState;
  pointer: string;
  help: string;
  /** The names of the fields with their labels. */
  boxes: readonly (readonly [name: string, label: string])[];
}

/** A choice of several of a few values. */
function Boxes({ form, pointer, help, boxes }: BoxesProps) {
  const id = form.idOf(pointer);
  const errors = form.errorsAt(pointer);
  return (
    <fieldset class="field" id={id} tabIndex={-1} aria-describedby={errors.length > 0 ? `${id}-error` : undefined}>
      <legend>{form.labelOf(pointer)}</legend>
      <p class="help">{help}</p>
      <Errors id={id} errors={errors} />
      <div class="days">
        {boxes.map(([name, label]) => (
          <label key={name} class="choice">
            <input type="checkbox" name={name} checked={form.text(name) !== ''} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function renderDeletePolicy(frame: PageFrame, policy: NotificationPolicyDto): string {
  return renderConfirm(frame, {
    title: `Delete ${policy.name}?`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    trail: TRAIL,
    action: `${POLICIES_PATH}/${policy.id}/delete`,
    button: 'Delete policy',
    back: NOTIFICATIONS_PATH,
    curl: curlLine('DELETE', `${frame.origin}${API_PATH}/${policy.id}`),
    children: (
      <p>
        The policy stops notifying, except about the recovery of problems that it has already reported. To stop it
        temporarily, disable it instead.
      </p>
    ),
  });
}
