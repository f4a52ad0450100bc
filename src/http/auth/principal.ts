import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Role } from '../../domain/role.js';

declare const teamId: unique symbol;
/** A team's id that came from a verified credential: the first argument of every scoped read and write. */
export type TeamId = string & { readonly [teamId]: true };

export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** On whose behalf a request under `/v1` runs. */
export interface Principal {
  keyId: string;
  teamId: TeamId;
  scopes: readonly Scope[];
}

/** A signed-in person, and the team they look at. */
export interface Person {
  userId: string;
  teamId: TeamId;
  role: Role;
}

/** How what somebody has written names its author: `api-key:<id>` or `user:<id>`. */
export function authorOf(author: Pick<Principal, 'keyId'> | Pick<Person, 'userId'>): string {
  return 'userId' in author ? `user:${author.userId}` : `api-key:${author.keyId}`;
}

const SCOPE_OF_ROLE: Readonly<Record<Role, Scope>> = { viewer: 'read', editor: 'write', owner: 'admin' };

/** What a person of this role may do, in the words of API keys. */
export function scopeOfRole(role: Role): Scope {
  return SCOPE_OF_ROLE[role];
}

/** `admin` includes `write` includes `read`. */
export function grants(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.some((scope) => SCOPES.indexOf(scope) >= SCOPES.indexOf(needed));
}

/** Verifies API keys; the module that owns the keys provides it. */
export abstract class KeyVerifier {
  /**
   * The principal of a valid key, `null` for any other one (malformed, unknown, expired, revoked: not told apart).
   * Throws only where it cannot tell, such as without a database: that answers 5xx, never 401.
   */
  abstract verify(token: string): Promise<Principal | null>;
}

function principalOf(context: ExecutionContext): Principal {
  const { principal } = context.switchToHttp().getRequest<{ principal?: Principal }>();
  if (!principal) throw new Error('There is no principal on a route without an API key');
  return principal;
}

function callerOf(context: ExecutionContext): Principal | Person {
  const { person } = context.switchToHttp().getRequest<{ person?: Person }>();
  return person ?? principalOf(context);
}

/** The `Principal` of the request; throws on routes that take no API key. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) => principalOf(context));

/** The `TeamId` of the request; throws on routes that take neither an API key nor a signed-in person. */
export const CurrentTeam = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context).teamId);

/** Who makes the request, as `authorOf` names it; throws where `CurrentTeam` does. */
export const CurrentAuthor = createParamDecorator((_: unknown, context: ExecutionContext) =>
  authorOf(callerOf(context)),
);
