import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { CopyBlock } from '../html/copy.js';
import { FORMS_STYLE } from '../html/form-assets.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { SettingsNavigation } from '../settings/settings-navigation.js';
import { type GeneratedSecret, NOTIFICATIONS_PATH } from './channel-form.js';

interface ChannelSecretProps {
  title: string;
  channel: NotificationChannelDto;
  secret: GeneratedSecret;
  /** Whether the secret replaces one that remains valid for a time. */
  isRotated?: boolean;
  /** The address of the page that follows. */
  next: string;
}

/** Renders the only page that ever shows a generated secret of a channel. */
export function renderChannelSecret(
  frame: PageFrame,
  { title, channel, secret: { label, text }, isRotated = false, next }: ChannelSecretProps,
): string {
  return page(frame, {
    title,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    styles: [FORMS_STYLE],
    children: (
      <>
        <p class="warning" role="status">
          <strong>Copy the secret now: it is not shown again.</strong> The receiver needs it to verify signatures.
          {isRotated && ' For 24 hours, requests are also signed with the old secret.'}
        </p>
        <section class="card" aria-labelledby="secret-title">
          <h2 id="secret-title">
            {label} of <bdi>{channel.name}</bdi>
          </h2>
          <CopyBlock id="secret" label={label.toLowerCase()} text={text} />
        </section>
        <p>
          <a class="button" href={next}>
            Done
          </a>
        </p>
      </>
    ),
  });
}

export function renderRotateSecret(frame: PageFrame, channel: NotificationChannelDto, form?: FormState): string {
  return renderConfirm(frame, {
    title: `Rotate the secret of ${channel.name}?`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    trail: [{ label: 'Notifications', href: NOTIFICATIONS_PATH }],
    action: `${NOTIFICATIONS_PATH}/${channel.id}/rotate`,
    button: 'Rotate secret',
    back: NOTIFICATIONS_PATH,
    form,
    curl: curlLine('POST', `${frame.origin}/v1/notification-channels/${channel.id}/rotate-secret`),
    children: (
      <p>
        A new secret is generated and shown once. For 24 hours, requests are signed with both secrets, so that you can
        update the receiver.
      </p>
    ),
  });
}
