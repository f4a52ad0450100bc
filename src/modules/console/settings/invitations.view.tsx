import { type InvitationSummary } from '../../teams/invitations.service.js';
import { type FormState } from '../form-state.js';
import { Buttons, RadioField, TextField } from '../html/fields.js';
import { ActionButton, Form } from '../html/form.js';
import { Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { ROLE_CHOICES, ROLE_WORDS } from '../role-words.js';
import { TEAM_PATH } from './team-forms.js';

interface InvitationsProps {
  frame: PageFrame;
  invitations: readonly InvitationSummary[];
  /** Whether invitations are mailed to the address that they name. */
  canMail: boolean;
  form: FormState;
}

/** The open invitations, and a form that creates another one. */
export function Invitations({ frame, invitations, canMail, form }: InvitationsProps) {
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <Form frame={frame} action={`${TEAM_PATH}/invitations`} class="form card">
        <h3>Invite someone</h3>
        <RadioField form={form} pointer="/role" choices={ROLE_CHOICES} />
        {canMail ? (
          <TextField
            form={form}
            pointer="/email"
            type="email"
            help="The invitation is emailed to this address. Leave it empty to send the link yourself."
          />
        ) : (
          <TextField
            form={form}
            pointer="/email"
            help="Optional, for your reference. No email is sent: you send the link yourself."
          />
        )}
        <Buttons>
          <button class="button" type="submit">
            {canMail ? 'Create invitation' : 'Create invitation link'}
          </button>
        </Buttons>
      </Form>
      {invitations.length === 0 ? (
        <p class="quiet">No pending invitations.</p>
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
                about={`the invitation for ${email ?? 'someone'}`}
              />,
            ],
          }))}
        />
      )}
    </section>
  );
}
