import { type MemberSummary } from '../../teams/members.service.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { type PageFrame } from '../page-frame.js';
import { SettingsNavigation } from './settings-navigation.js';
import { TEAM_PATH } from './team-forms.js';

const TRAIL = [{ label: 'Team', href: TEAM_PATH }];

/** Renders the confirmation before a member is removed from the team. */
export function renderRemoveMember(frame: PageFrame, member: MemberSummary, form?: FormState): string {
  return renderConfirm(frame, {
    title: `Remove ${member.name}?`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Team" />,
    trail: TRAIL,
    action: `${TEAM_PATH}/members/${member.userId}/remove`,
    button: 'Remove from team',
    back: TEAM_PATH,
    form,
    children: (
      <p>
        {member.email} will be signed out of this team. The API keys that they created or rotated and the ping keys that
        they created will be revoked within a second; scripts and jobs that use them need new ones. Monitors and pages
        that they created are kept.
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
    trail: TRAIL,
    action: `${TEAM_PATH}/leave`,
    button: 'Leave team',
    back: TEAM_PATH,
    form,
    children: (
      <p>
        You will be signed out of this team. The API keys that you created or rotated and the ping keys that you created
        will be revoked within a second; scripts and jobs that use them need new ones. Monitors and pages that you
        created are kept. To rejoin, you need an invitation.
      </p>
    ),
  });
}
