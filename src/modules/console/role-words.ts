import { type Role, ROLES } from '../../domain/role.js';
import { type Choice } from './html/fields.js';

/** The names of the roles and their meaning. */
export const ROLE_WORDS: Readonly<Record<Role, { label: string; help: string }>> = {
  viewer: { label: 'Viewer', help: 'sees everything and changes nothing' },
  editor: { label: 'Editor', help: 'also changes monitors and pages, and makes API keys that may do the same' },
  owner: { label: 'Owner', help: 'also manages people and all API keys' },
};

export const ROLE_CHOICES: readonly Choice[] = ROLES.map((value) => ({ value, ...ROLE_WORDS[value] }));
