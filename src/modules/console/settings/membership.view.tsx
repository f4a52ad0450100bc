import { type MemberSummary } from '../../teams/members.service.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { type PageFrame } from '../page-frame.js';
import { SettingsNavigation } from './settings-navigation.js';
import { TEAM_PATH } from './team-forms.js';

/** Renders the confirmation before a member is removed from the team. */
export function renderRemoveMember(frame: PageFrame, member: MemberSummary, form?: FormState): string {
  return renderConfirm(frame, {
    title: `Remove ${member.name}?`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Team" />,
    action: `${TEAM_PATH}/members/${member.userId}/remove`,
    button: 'Remove from the team',
    back: TEAM_PATH,
    form,
    children: (
      <p>
        {member.email} is signed out of this team, and the API keys that they made or rotated are revoked: whatever uses
        those is refused within a second. Monitors and pages that they made stay.
      </p>
    ),
  });
}

/** Renders the confirmation before the signed-in person leaves the team. */
export function renderLeaveTeam(frame: PageFrame, form?: FormState): string {
  return renderConfirm(frame, {
    title: `Leave ${frame.who!.teamName}?`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Team" />,
    action: `${TEAM_PATH}/leave`,
    button: 'Leave the team',
    back: TEAM_PATH,
    form,
    children: (
      <p>
        You are signed out of this team, and the API keys that you made are revoked: whatever uses those is refused
        within a second. Monitors and pages that you made stay. To come back you need an invitation.
      </p>
    ),
  });
}
