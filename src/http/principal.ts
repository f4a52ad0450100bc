import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

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

/** How what a caller has written names its author: `api-key:<id>`. */
export function authorOf({ keyId }: Principal): string {
  return `api-key:${keyId}`;
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

/** The `Principal` of the request; throws on routes that take no API key. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) => principalOf(context));

/** The `TeamId` of the request; throws on routes that take no API key. */
export const CurrentTeam = createParamDecorator((_: unknown, context: ExecutionContext) => principalOf(context).teamId);

/** Who makes the request, as `authorOf` names it; throws on routes that take no API key. */
export const CurrentAuthor = createParamDecorator((_: unknown, context: ExecutionContext) =>
  authorOf(principalOf(context)),
);
