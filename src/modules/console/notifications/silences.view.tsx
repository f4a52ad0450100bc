import { includesRole } from '../../../domain/role.js';
import { type SilenceDto } from '../../notification-policies/dto/silence.dto.js';
import { authorWords, type People } from '../author-words.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, SelectField, TextField } from '../html/fields.js';
import { FORMS_SCRIPT } from '../html/form-assets.js';
import { ActionButton, Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime, Time } from '../html/time.js';
import { ZoneField } from '../html/zone-field.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { EnterButton } from '../picker/hits.js';
import { SettingsNavigation } from '../settings/settings-navigation.js';
import { NOTIFICATION_STYLES } from './assets.js';
import { NOTIFICATIONS_PATH } from './channel-form.js';
import { MatchFields, type MatchFieldsProps } from './match-fields.js';
import { NotificationTabs, SILENCES_PATH } from './notification-tabs.js';
import { capitalised, matchWords, type PolicyNames } from './policy-words.js';
import { DURATION_CHOICES } from './silence-form.js';

const API_PATH = '/v1/silences';
const EXAMPLE = { match: { tags: ['staging'] }, durationSeconds: 7_200, reason: 'Known fault, being worked on' };

export interface SilencesProps {
  silences: readonly SilenceDto[];
  nextCursor: string | null;
  monitors: PolicyNames['monitors'];
  people: People;
}

const DONE: Readonly<Record<string, string>> = {
  created: 'Silence created.',
  ended: 'Silence ended. Alerts about monitors that are still down are sent now.',
};

/** Renders the silences that have not ended. */
export function renderSilences(frame: PageFrame, { silences, nextCursor, monitors, people }: SilencesProps): string {
  const mayEdit = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: 'Silences',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    done: DONE[frame.done],
    styles: NOTIFICATION_STYLES,
    ...(mayEdit && { action: { label: 'New silence', href: `${SILENCES_PATH}/new` } }),
    children: (
      <>
        <NotificationTabs current="Silences" />
        <p class="lead">
          A silence holds new alerts about a known problem. Checks and uptime continue, and recovery messages for
          earlier alerts are still sent. If a monitor is still down when the silence ends, its alert is sent then.
        </p>
        {silences.length === 0 ? (
          <Empty>
            No active silences.{' '}
            {mayEdit ? 'Create one while you work on a known problem.' : 'An editor or owner can create one.'}
          </Empty>
        ) : (
          <Table
            caption="Active silences"
            columns={['Monitors', 'Reason', 'Ends', 'Created', ...(mayEdit ? ['Actions'] : [])]}
            rows={silences.map((silence) => {
              const about = capitalised(matchWords(silence.match, monitors));
              return {
                key: silence.id,
                cells: [
                  <span dir="auto">{about}</span>,
                  <span class="lines" dir="auto">
                    {silence.reason}
                  </span>,
                  <>
                    <RelativeTime at={silence.until} nowMs={frame.nowMs} />
                    <span class="quiet below">
                      <Time at={silence.until} />
                    </span>
                  </>,
                  <>
                    <RelativeTime at={silence.createdAt} nowMs={frame.nowMs} />
                    <span class="quiet below" dir="auto">
                      {authorWords(silence.createdBy, people)}
                    </span>
                  </>,
                  ...(mayEdit
                    ? [
                        <ActionButton
                          frame={frame}
                          action={`${SILENCES_PATH}/${silence.id}/end`}
                          label="End now"
                          about={about}
                        />,
                      ]
                    : []),
                ],
              };
            })}
          />
        )}
        {nextCursor !== null && (
          <p>
            <a href={withQuery(SILENCES_PATH, { cursor: nextCursor })}>Older silences</a>
          </p>
        )}
        <WithCurl id="silences-curl" command={curlLine('GET', frame.origin + API_PATH)} />
      </>
    ),
  });
}

/** Renders the form that creates a silence. */
export function renderNewSilence(frame: PageFrame, props: Omit<MatchFieldsProps, 'action'>): string {
  const { form } = props;
  const action = `${SILENCES_PATH}/new`;
  return page(frame, {
    title: 'New silence',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    trail: [
      { label: 'Notifications', href: NOTIFICATIONS_PATH },
      { label: 'Silences', href: SILENCES_PATH },
    ],
    form,
    styles: NOTIFICATION_STYLES,
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        <Form frame={frame} action={action} class="form wide" guards={form}>
          <EnterButton />
          <MatchFields {...props} action={action} />
          <Until form={form} />
          <div class="group">
            <AreaField
              form={form}
              pointer="/reason"
              rows={2}
              help="Shown in the list of silences and in the audit log."
              required
            />
          </div>
          <Buttons>
            <button class="button" type="submit" name="do" value="save">
              Create silence
            </button>
            <a href={SILENCES_PATH}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl id="silence-curl" command={curlLine('POST', frame.origin + API_PATH, { body: EXAMPLE })} />
      </>
    ),
  });
}

function Until({ form }: { form: FormState }) {
  return (
    <div class="group reveals">
      <SelectField
        form={form}
        pointer="/durationSeconds"
        choices={DURATION_CHOICES}
        help="Starts now and lasts at most 7 days."
      />
      <div class="when when-date">
        <div class="columns">
          <TextField form={form} pointer="/until" type="datetime-local" />
          <ZoneField form={form} pointer="/timezone" isOpen={!form.isSent} />
        </div>
      </div>
    </div>
  );
}
