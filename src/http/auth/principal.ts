import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Role } from '../../domain/role.js';

declare const teamId: unique symbol;
/** The id of a team, from a verified credential. The first argument of every scoped read and write. */
export type TeamId = string & { readonly [teamId]: true };

export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The API key on whose behalf a request under `/v1` runs. */
export interface Principal {
  keyId: string;
  /** The name of the key. */
  name: string;
  teamId: TeamId;
  scopes: readonly Scope[];
}

/** A signed-in user and the team they have selected. */
export interface Person {
  userId: string;
  teamId: TeamId;
  role: Role;
}

/** Returns the author in the form that records store: `api-key:<id>` or `user:<id>`. */
export function authorOf(author: Pick<Principal, 'keyId'> | Pick<Person, 'userId'>): string {
  return 'userId' in author ? `user:${author.userId}` : `api-key:${author.keyId}`;
}

const SCOPE_OF_ROLE: Readonly<Record<Role, Scope>> = { viewer: 'read', editor: 'write', owner: 'admin' };

/** Returns the scope that corresponds to a role. */
export function scopeOfRole(role: Role): Scope {
  return SCOPE_OF_ROLE[role];
}

/** Returns whether one of the scopes is sufficient: `admin` includes `write`, which includes `read`. */
export function grants(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.some((scope) => SCOPES.indexOf(scope) >= SCOPES.indexOf(needed));
}

/** Verifies API keys. Provided by the module that owns the keys. */
export abstract class KeyVerifier {
  /**
   * Returns the principal of a valid key, and `null` for any other key, without distinguishing malformed, unknown,
   * expired and revoked keys. A key is refused everywhere within a second of its revocation, or within `maxAgeMs` if that
   * is less. `now` is in epoch milliseconds. Throws only if it cannot decide, for example without a database; the
   * response is then 5xx, never 401.
   */
  abstract verify(token: string, now?: number, maxAgeMs?: number): Promise<Principal | null>;
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

/** The `Principal` of the request. Throws on routes that do not require an API key. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) => principalOf(context));

/** The `TeamId` of the request. Throws on routes that require neither an API key nor a signed-in user. */
export const CurrentTeam = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context).teamId);

/** The author of the request, in the form of `authorOf`. Throws where `CurrentTeam` does. */
export const CurrentAuthor = createParamDecorator((_: unknown, context: ExecutionContext) =>
  authorOf(callerOf(context)),
);
