import { type MailedInvitation } from '../../people/invitation-mails.service.js';
import { type CreatedInvitation } from '../../teams/invitations.service.js';
import { CopyBlock } from '../html/copy.js';
import { FORMS_STYLE } from '../html/form-assets.js';
import { page } from '../html/layout.js';
import { Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { SettingsNavigation } from './settings-navigation.js';
import { TEAM_PATH } from './team-forms.js';

export interface InvitationLinkProps {
  link: string;
  invitation: CreatedInvitation;
  /** Whether it was mailed; null without a mail server or an address. */
  mailed: MailedInvitation | null;
}

/** Renders the only page that ever shows the link of an invitation. */
export function renderInvitationLink(frame: PageFrame, { link, invitation, mailed }: InvitationLinkProps): string {
  const isSent = mailed?.status === 'sent';
  return page(frame, {
    title: isSent ? 'Invitation sent' : 'Invitation created',
    section: 'Settings',
    styles: [FORMS_STYLE],
    subNavigation: <SettingsNavigation current="Team" />,
    children: (
      <>
        {mailed && <MailOutcome to={invitation.email ?? ''} mailed={mailed} />}
        <p class={isSent ? 'lead' : 'warning'} {...(!isSent && { role: 'status' })}>
          {isSent ? (
            'You can also send the link yourself. Copy it now: it is not shown again. '
          ) : (
            <strong>Copy the link now: it is not shown again. </strong>
          )}
          It can be used once, by anyone who has it, until <Time at={invitation.expiresAt} />. Send it only to the
          person you want to invite.
        </p>
        <div class="card">
          <CopyBlock id="link" label="invitation link" text={link} />
        </div>
        <p>
          <a class="button" href={TEAM_PATH}>
            Back to team
          </a>
        </p>
      </>
    ),
  });
}

function MailOutcome({ to, mailed }: { to: string; mailed: MailedInvitation }) {
  const address = <span dir="auto">{to}</span>;
  switch (mailed.status) {
    case 'sent':
      return (
        <p class="done" role="status">
          The invitation was emailed to {address}.
        </p>
      );
    case 'sending':
      return (
        <p class="warning" role="status">
          The invitation is being emailed to {address}, but the mail server has not accepted it yet.
        </p>
      );
    case 'failed':
      return (
        <p class="warning" role="alert">
          <strong>The invitation could not be emailed to {address}.</strong> Send the link below yourself.{' '}
          {mailed.error}
        </p>
      );
  }
}
