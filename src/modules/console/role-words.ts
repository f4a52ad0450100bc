import { type Role, ROLES } from '../../domain/role.js';
import { type Choice } from './html/fields.js';

/** The names of the roles and their meaning. */
export const ROLE_WORDS: Readonly<Record<Role, { label: string; help: string }>> = {
  viewer: {
    label: 'Viewer',
    help: 'can view monitors, incidents, maintenance, notifications, status pages, keys and members',
  },
  editor: {
    label: 'Editor',
    help: 'can also change monitors, incidents, maintenance, notifications and status pages, and create API keys',
  },
  owner: { label: 'Owner', help: 'can also manage members, subscribers and all API keys' },
};

export const ROLE_CHOICES: readonly Choice[] = ROLES.map((value) => ({ value, ...ROLE_WORDS[value] }));
