import { type InvitationSummary } from '../../teams/invitations.service.js';
import { type MemberSummary } from '../../teams/members.service.js';
import { type FormState } from '../form-state.js';
import { Buttons, TextField } from '../html/fields.js';
import { FORMS_STYLE } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { Invitations } from './invitations.view.js';
import { Members } from './members.view.js';
import { SettingsNavigation } from './settings-navigation.js';
import { TEAM_PATH } from './team-forms.js';

export interface TeamProps {
  members: readonly MemberSummary[];
  /** The invitations that can be accepted. Only owners see them. */
  invitations: readonly InvitationSummary[];
  /** Whether invitations are mailed to the address that they name. */
  canMail: boolean;
  name: FormState;
  invite: FormState;
  /** The form that was sent and refused, if any. */
  refused: FormState | undefined;
}

const DONE: Readonly<Record<string, string>> = {
  renamed: 'Team renamed.',
  'role-changed': 'Role changed.',
  'role-and-keys': 'Role changed. Keys that exceed the new role have been revoked.',
  removed: 'Member removed.',
  'removed-with-keys': 'Member removed. The keys that they created or rotated have been revoked.',
  'invitation-revoked': 'Invitation revoked.',
};

export function renderTeam(frame: PageFrame, props: TeamProps): string {
  const isOwner = frame.who!.role === 'owner';
  return page(frame, {
    title: 'Team',
    section: 'Settings',
    styles: [FORMS_STYLE],
    subNavigation: <SettingsNavigation current="Team" />,
    done: DONE[frame.done],
    form: props.refused,
    children: (
      <>
        <Members frame={frame} members={props.members} />
        {isOwner && (
          <Invitations frame={frame} invitations={props.invitations} canMail={props.canMail} form={props.invite} />
        )}
        <section class="card" aria-labelledby="team-heading">
          <h2 id="team-heading">{isOwner ? 'Team name' : 'Your team'}</h2>
          {isOwner ? <TeamName frame={frame} form={props.name} /> : <p dir="auto">{frame.who!.teamName}</p>}
          <p>
            <a href={`${TEAM_PATH}/leave`}>Leave team</a>
          </p>
        </section>
      </>
    ),
  });
}

function TeamName({ frame, form }: { frame: PageFrame; form: FormState }) {
  return (
    <Form frame={frame} action={TEAM_PATH}>
      <TextField form={form} pointer="/name" required />
      <Buttons>
        <button class="button plain" type="submit">
          Rename team
        </button>
      </Buttons>
    </Form>
  );
}
