import { channelOf } from '../../../channels/index.js';
import { includesRole } from '../../../domain/role.js';
import { StateMark } from '../../../html/state-mark.js';
import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { type NotificationPolicyDto } from '../../notification-policies/dto/notification-policy.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { ActionButton, Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { MenuButton, MenuLink, MoreMenu } from '../html/menu.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { SettingsNavigation } from '../settings/settings-navigation.js';
import { NOTIFICATION_STYLES } from './assets.js';
import { NOTIFICATIONS_PATH } from './channel-form.js';
import { LOG_PATH, NotificationTabs } from './notification-tabs.js';
import { PolicyTable } from './policies.view.js';
import { POLICIES_PATH } from './policy-form.js';
import { type PolicyNames } from './policy-words.js';

export interface ChannelsProps {
  channels: readonly NotificationChannelDto[];
  policies: readonly NotificationPolicyDto[];
  names: PolicyNames;
}

const DONE: Readonly<Record<string, string>> = {
  created: 'Channel created. Send a test message to see whether it arrives.',
  saved: 'Channel saved.',
  deleted: 'Channel deleted.',
  sent: 'Test message sent.',
  'policy-created': 'Policy created.',
  'policy-saved': 'Policy saved.',
  'policy-enabled': 'Policy enabled.',
  'policy-disabled': 'Policy disabled. It notifies nobody until it is enabled again.',
  'policy-deleted': 'Policy deleted.',
};

/** Renders the channels of the team with their health, and what its policies do. */
export function renderChannels(frame: PageFrame, { channels, policies, names }: ChannelsProps): string {
  const mayEdit = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: 'Notifications',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    done: DONE[frame.done],
    styles: NOTIFICATION_STYLES,
    ...(mayEdit && { action: { label: 'New channel', href: `${NOTIFICATIONS_PATH}/new` } }),
    children: (
      <>
        <NotificationTabs current="Channels and policies" />
        {!policies.some(({ enabled }) => enabled) && (
          <Nobody channels={channels} policies={policies} mayEdit={mayEdit} />
        )}
        <h2>Channels</h2>
        {channels.length === 0 ? <NoChannels mayEdit={mayEdit} /> : <ChannelTable {...{ frame, channels, mayEdit }} />}
        <div class="head">
          <h2>Policies</h2>
          {mayEdit && channels.length > 0 && (
            <a class="button plain" href={`${POLICIES_PATH}/new`}>
              New policy
            </a>
          )}
        </div>
        <p class="lead">A policy determines which monitors notify which channels, and when.</p>
        {policies.length === 0 ? (
          <Empty>No policies yet.</Empty>
        ) : (
          <PolicyTable frame={frame} policies={policies} names={names} mayEdit={mayEdit} />
        )}
        <WithCurl
          id="notifications-curl"
          command={`${curlLine('GET', `${frame.origin}/v1/notification-channels`)}\n\n${curlLine('GET', `${frame.origin}/v1/notification-policies`)}`}
        />
      </>
    ),
  });
}

/** The warning that no policy notifies anybody, with the next step. */
function Nobody({ channels, policies, mayEdit }: Omit<ChannelsProps, 'names'> & { mayEdit: boolean }) {
  const words =
    channels.length === 0
      ? 'Create a channel to be notified of outages.'
      : policies.length === 0
        ? 'There is no notification policy.'
        : 'All policies are disabled.';
  return (
    <p class="warning">
      <strong>Nobody is notified.</strong> {words}
      {mayEdit && channels.length > 0 && policies.length === 0 && (
        <>
          {' '}
          <a href={`${POLICIES_PATH}/new`}>Create a policy</a>
        </>
      )}
    </p>
  );
}

function NoChannels({ mayEdit }: { mayEdit: boolean }) {
  const next = mayEdit
    ? 'A channel can be email, chat, an on-call service or your own program.'
    : 'An editor or owner can create one.';
  return <Empty>No channels yet. {next}</Empty>;
}

function ChannelTable({
  frame,
  channels,
  mayEdit,
}: Pick<ChannelsProps, 'channels'> & { frame: PageFrame; mayEdit: boolean }) {
  return (
    <Table
      caption="Notification channels"
      columns={['Channel', 'State', 'Last message', ...(mayEdit ? ['Actions'] : [])]}
      rows={channels.map((channel) => ({
        key: channel.id,
        cells: [
          <>
            <span dir="auto">{channel.name}</span>
            <br />
            <span class="quiet">{channelOf(channel.type)?.label ?? channel.type}</span>
          </>,
          <Health channel={channel} />,
          <LastMessage frame={frame} channel={channel} mayEdit={mayEdit} />,
          ...(mayEdit ? [<Actions frame={frame} channel={channel} />] : []),
        ],
      }))}
    />
  );
}

/** When the channel was last used. One that was never used offers a test message. */
function LastMessage({
  frame,
  channel: { id, name, enabled, health },
  mayEdit,
}: {
  frame: PageFrame;
  channel: NotificationChannelDto;
  mayEdit: boolean;
}) {
  if (!mayEdit || !enabled || health.status !== 'unused') {
    return <RelativeTime at={health.lastSentAt} nowMs={frame.nowMs} />;
  }
  return (
    <ActionButton frame={frame} action={`${NOTIFICATIONS_PATH}/${id}/test`} label="Send test message" about={name} />
  );
}

function Health({ channel: { enabled, health } }: { channel: NotificationChannelDto }) {
  const [mark, words] = !enabled
    ? (['paused', 'Disabled'] as const)
    : health.status === 'failing'
      ? (['down', 'Failing'] as const)
      : health.status === 'ok'
        ? (['up', 'Working'] as const)
        : (['unknown', 'Not used yet'] as const);
  return (
    <>
      <span class="state">
        <StateMark mark={mark} />
        {words}
      </span>
      {health.status === 'failing' && health.lastError !== null && (
        <>
          <br />
          <span class="quiet">{health.lastError}</span>
        </>
      )}
    </>
  );
}

function Actions({ frame, channel: { id, name, type } }: { frame: PageFrame; channel: NotificationChannelDto }) {
  const path = `${NOTIFICATIONS_PATH}/${id}`;
  const mayRotate = includesRole(frame.who!.role, 'owner') && channelOf(type)?.rotate !== undefined;
  return (
    <MoreMenu about={name}>
      <Form frame={frame} action={`${path}/test`}>
        <MenuButton icon="play" label="Send test message" about={name} />
      </Form>
      <MenuLink href={`${path}/edit`} icon="pencil" label="Edit" about={name} />
      {mayRotate && <MenuLink href={`${path}/rotate`} icon="refresh-cw" label="Rotate secret" about={name} />}
      <MenuLink href={withQuery(LOG_PATH, { channelId: id })} icon="book-open" label="Delivery log" about={name} />
      <hr />
      <MenuLink href={`${path}/delete`} icon="trash" label="Delete" about={name} isDanger />
    </MoreMenu>
  );
}
