import { type FormShape } from '../form-state.js';

export const TEAM_PATH = '/settings/team';

export const TEAM_FORM: FormShape = { id: 'team', labels: { '/name': 'Name' } };
export const INVITE_FORM: FormShape = { id: 'invite', labels: { '/role': 'Role', '/email': 'Email' } };
/** The form in a row of the members, which does not show faults itself. */
export const MEMBER_FORM: FormShape = { id: 'member', labels: {} };
