import { type MemberSummary } from '../../teams/members.service.js';
import { Form } from '../html/form.js';
import { Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { ROLE_CHOICES, ROLE_WORDS } from '../role-words.js';
import { TEAM_PATH } from './team-forms.js';

/** The members of the team; for owners, with the actions on them. */
export function Members({ frame, members }: { frame: PageFrame; members: readonly MemberSummary[] }) {
  const isOwner = frame.who!.role === 'owner';
  return (
    <section aria-labelledby="members">
      <h2 id="members">Members</h2>
      <p class="lead">
        {ROLE_CHOICES.map(({ value, label, help }) => (
          <span key={value} class="role">
            <strong>{label}s</strong> {help}.{' '}
          </span>
        ))}
      </p>
      <Table
        caption="Members of the team"
        columns={['Name', 'Email', 'Joined', 'Role', ...(isOwner ? ['Actions'] : [])]}
        rows={members.map((member) => ({
          key: member.userId,
          cells: [
            <>
              <span dir="auto">{member.name}</span>
              {member.userId === frame.who!.userId && <span class="quiet"> (you)</span>}
            </>,
            member.email,
            <RelativeTime at={member.createdAt} nowMs={frame.nowMs} />,
            isOwner ? <RoleForm frame={frame} member={member} /> : ROLE_WORDS[member.role].label,
            ...(isOwner
              ? [
                  <a href={`${TEAM_PATH}/members/${member.userId}/remove`}>
                    Remove<span class="hidden"> {member.name}</span>
                  </a>,
                ]
              : []),
          ],
        }))}
      />
    </section>
  );
}

function RoleForm({ frame, member: { userId, name, role } }: { frame: PageFrame; member: MemberSummary }) {
  return (
    <Form frame={frame} action={`${TEAM_PATH}/members/${userId}/role`} class="inline">
      <select name="role" aria-label={`Role of ${name}`}>
        {ROLE_CHOICES.map(({ value, label }) => (
          <option key={value} value={value} selected={value === role}>
            {label}
          </option>
        ))}
      </select>
      <button class="button plain" type="submit">
        Change<span class="hidden"> the role of {name}</span>
      </button>
    </Form>
  );
}
