/** What a person may do in a team, each role including the one before. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether who has the one role may do what needs the other. */
export function includesRole(own: Role, needed: Role): boolean {
  return ROLES.indexOf(own) >= ROLES.indexOf(needed);
}
