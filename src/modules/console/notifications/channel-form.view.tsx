import { channelOf, CHANNELS } from '../../../channels/index.js';
import { type ChannelDeliveryDto } from '../../notification-channels/dto/channel-delivery.dto.js';
import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { CheckField } from '../html/check-field.js';
import { renderConfirm } from '../html/confirm.view.js';
import { WithCurl } from '../html/copy.js';
import { Buttons } from '../html/fields.js';
import { FORMS_SCRIPT, FORMS_STYLE } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { Control, Controls } from '../monitors/form/controls.js';
import { Group } from '../monitors/form/group.js';
import { type PageFrame } from '../page-frame.js';
import { Revision } from '../revision.js';
import { SettingsNavigation } from '../settings/settings-navigation.js';
import {
  asStored,
  CHANNEL_ENABLED,
  CHANNEL_KEY,
  CHANNEL_NAME,
  EVERYTHING,
  NOTIFICATIONS_PATH,
  settingsFields,
} from './channel-form.js';

const TRAIL = [{ label: 'Notifications', href: NOTIFICATIONS_PATH }];
const API_PATH = '/v1/notification-channels';

/** Renders the form that creates a channel of a type. `offersEverything` adds a policy for all monitors. */
export function renderNewChannel(
  frame: PageFrame,
  { type, form, offersEverything }: { type: string; form: FormState; offersEverything: boolean },
): string {
  const channel = channelOf(type)!;
  const { essential, advanced } = settingsFields(type);
  return page(frame, {
    title: 'New channel',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    trail: TRAIL,
    form,
    styles: [FORMS_STYLE],
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        <Types current={type} />
        <p class="lead">{channel.summary}</p>
        <Form frame={frame} action={NOTIFICATIONS_PATH} class="form wide" guards={form}>
          <input type="hidden" name="type" value={type} />
          <div class="group">
            <Control form={form} field={CHANNEL_NAME} />
            <Controls form={form} fields={essential} />
            {offersEverything && (
              <CheckField
                form={form}
                pointer={EVERYTHING}
                help="Creates the policy “Everything”, which notifies this channel immediately of outages and recoveries of all monitors."
              />
            )}
          </div>
          <Advanced form={form} fields={[...advanced, CHANNEL_KEY]} />
          <Buttons>
            <button class="button" type="submit">
              Create channel
            </button>
            <a href={NOTIFICATIONS_PATH}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="new-channel-curl"
          command={curlLine('POST', frame.origin + API_PATH, { body: { ...channel.example, type } })}
        />
      </>
    ),
  });
}

/** Renders the form that edits a channel. */
export function renderEditChannel(frame: PageFrame, channel: NotificationChannelDto, form: FormState): string {
  const path = `${NOTIFICATIONS_PATH}/${channel.id}`;
  const { essential, advanced } = settingsFields(channel.type);
  return page(frame, {
    title: `Edit ${channel.name}`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    trail: TRAIL,
    form,
    styles: [FORMS_STYLE],
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        <p class="lead">
          {channelOf(channel.type)?.label ?? channel.type}. {channelOf(channel.type)?.summary}
        </p>
        <Form frame={frame} action={`${path}/edit`} class="form wide" guards={form}>
          <Revision form={form} revision={channel.revision} stored={NOTIFICATIONS_PATH} />
          <div class="group">
            <Control form={form} field={CHANNEL_NAME} />
            <Controls form={form} fields={[...essential.map(asStored), CHANNEL_ENABLED]} />
          </div>
          <Advanced form={form} fields={[...advanced.map(asStored), CHANNEL_KEY]} />
          <Buttons>
            <button class="button" type="submit">
              Save
            </button>
            <a href={NOTIFICATIONS_PATH}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="edit-channel-curl"
          command={curlLine('PATCH', `${frame.origin}${API_PATH}/${channel.id}`, { body: { enabled: false } })}
        />
      </>
    ),
  });
}

/** Renders why a test message was not sent. */
export function renderFailedTest(
  frame: PageFrame,
  channel: NotificationChannelDto,
  { error, statusCode }: ChannelDeliveryDto,
): string {
  return page(frame, {
    title: 'Test message not sent',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    trail: TRAIL,
    children: (
      <>
        <p class="warning" role="alert">
          <strong dir="auto">{channel.name}</strong>: {error}
          {statusCode !== null && ` (status ${statusCode})`}
        </p>
        <p>
          <a class="button" href={`${NOTIFICATIONS_PATH}/${channel.id}/edit`}>
            Edit channel
          </a>
        </p>
      </>
    ),
  });
}

export function renderDeleteChannel(frame: PageFrame, channel: NotificationChannelDto, form?: FormState): string {
  return renderConfirm(frame, {
    title: `Delete ${channel.name}?`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    trail: TRAIL,
    action: `${NOTIFICATIONS_PATH}/${channel.id}/delete`,
    button: 'Delete channel',
    back: NOTIFICATIONS_PATH,
    form,
    curl: curlLine('DELETE', `${frame.origin}${API_PATH}/${channel.id}`),
    children: <p>Nothing more is sent to it. A channel that a policy uses cannot be deleted.</p>,
  });
}

function Advanced({ form, fields }: { form: FormState; fields: Parameters<typeof Controls>[0]['fields'] }) {
  return (
    <Group form={form} title="More settings" brief="" pointers={fields.map(({ pointer }) => pointer)}>
      <Controls form={form} fields={fields} />
    </Group>
  );
}

/** The choice of the type. */
function Types({ current }: { current: string }) {
  return (
    <nav aria-label="Type">
      <ul class="types">
        {CHANNELS.map(({ type, label, form: { gist } }) => (
          <li key={type}>
            <a
              href={`${NOTIFICATIONS_PATH}/new?type=${type}`}
              data-carry="name key"
              aria-current={type === current ? 'page' : undefined}
            >
              <strong>{label}</strong>
              <span>{gist}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
