/** The roles of a team's members. Each role includes the permissions of the previous one. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Returns whether a role includes the permissions of another one. */
export function includesRole(own: Role, needed: Role): boolean {
  return ROLES.indexOf(own) >= ROLES.indexOf(needed);
}
