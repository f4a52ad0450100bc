import { type InvitationSummary } from '../../teams/invitations.service.js';
import { type FormState } from '../form-state.js';
import { CopyBlock } from '../html/copy.js';
import { Buttons, RadioField, TextField } from '../html/fields.js';
import { FORMS_STYLE } from '../html/form-assets.js';
import { ActionButton, Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime, Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { ROLE_CHOICES, ROLE_WORDS } from '../role-words.js';
import { SettingsNavigation } from './settings-navigation.js';
import { TEAM_PATH } from './team-forms.js';

interface InvitationsProps {
  frame: PageFrame;
  invitations: readonly InvitationSummary[];
  form: FormState;
}

/** The open invitations, and a form that creates another one. */
export function Invitations({ frame, invitations, form }: InvitationsProps) {
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      {invitations.length === 0 ? (
        <Empty>No pending invitations. Create a link below and send it to the person you want to invite.</Empty>
      ) : (
        <Table
          caption="Pending invitations"
          columns={['Email', 'Role', 'Expires', 'Actions']}
          rows={invitations.map(({ id, email, role, expiresAt }) => ({
            key: id,
            cells: [
              <span dir="auto">{email ?? '–'}</span>,
              ROLE_WORDS[role].label,
              <RelativeTime at={expiresAt} nowMs={frame.nowMs} />,
              <ActionButton
                frame={frame}
                action={`${TEAM_PATH}/invitations/${id}/revoke`}
                label="Revoke"
                about={`the invitation of ${email ?? 'someone'}`}
              />,
            ],
          }))}
        />
      )}
      <Form frame={frame} action={`${TEAM_PATH}/invitations`} class="form card">
        <h3>Invite someone</h3>
        <RadioField form={form} pointer="/role" choices={ROLE_CHOICES} />
        <TextField form={form} pointer="/email" help="Optional, for your reference. No email is sent." />
        <Buttons>
          <button class="button" type="submit">
            Create invitation link
          </button>
        </Buttons>
      </Form>
    </section>
  );
}

/** Renders the only page that ever shows the link of an invitation. */
export function renderInvitationLink(frame: PageFrame, link: string, expiresAt: Date): string {
  return page(frame, {
    title: 'Invitation created',
    section: 'Settings',
    styles: [FORMS_STYLE],
    subNavigation: <SettingsNavigation current="Team" />,
    children: (
      <>
        <p class="warning" role="status">
          <strong>Copy the link now: it is not shown again.</strong> It can be used once, by anyone who has it, until{' '}
          <Time at={expiresAt} />. Send it only to the person you want to invite.
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
