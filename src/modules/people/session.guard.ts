import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { includesRole, type Role } from '../../domain/role.js';
import { requiredRole, takesFormsOfAnyTeam, takesGuests } from '../../http/auth/access.decorators.js';
import { type EdgeRequest } from '../../http/edge-request.js';
import { ProblemException } from '../../http/problems/problem.js';
import { MembersService } from '../teams/members.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { UsersService } from '../users/users.service.js';
import { FormTokens } from './form-tokens.service.js';
import { SessionCookie } from './session-cookie.service.js';
import { SignInNeeded } from './sign-in-needed.types.js';
import { type SessionRequest, type SignedIn } from './signed-in.types.js';

/** The people whose role includes each role. */
const THOSE_WITH: Readonly<Record<Role, string>> = {
  viewer: 'members',
  editor: 'editors and owners',
  owner: 'owners',
};

/**
 * Identifies the signed-in person by their session cookie and requires the role of the route (403). People who are not
 * signed in are redirected to the sign-in page, or to the setup page while no account exists; only routes for guests
 * admit them.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly cookie: SessionCookie,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly tokens: FormTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const signedIn = await this.signedIn(request.headers.cookie);
    if (!signedIn) {
      if (takesGuests(this.reflector, context)) return true;
      throw new SignInNeeded(await this.whereTo(request));
    }
    request.signedIn = signedIn;
    request.person = signedIn;
    // Forms for guests are rendered before anybody signs in, and do nothing on behalf of the signed-in person.
    if (takesGuests(this.reflector, context)) return true;
    const ofAnyTeam = takesFormsOfAnyTeam(this.reflector, context);
    request.faultOfForm = (token) => this.tokens.faultOf(token, signedIn, ofAnyTeam);
    const needed = requiredRole(this.reflector, context);
    if (includesRole(signedIn.role, needed)) return true;
    const detail = `Only ${THOSE_WITH[needed]} can do this; your role in this team is ${signedIn.role}.`;
    throw new ProblemException(403, 'forbidden', detail);
  }

  private async signedIn(cookies: string | undefined): Promise<SignedIn | null> {
    const token = this.cookie.read(cookies);
    const session = token === null ? null : await this.sessions.find(token);
    if (!session) return null;
    const [user, memberships] = await Promise.all([this.users.find(session.userId), this.members.of(session.userId)]);
    const present = memberships.find(({ teamId }) => teamId === session.teamId);
    // The person or the membership was removed after the session was read.
    if (!user || !present) return null;
    const formToken = this.tokens.of(session.id, present.teamId);
    return { ...present, sessionId: session.id, name: user.name, email: user.email, memberships, formToken };
  }

  private async whereTo({ method, originalUrl }: EdgeRequest): Promise<string> {
    if (!(await this.users.any())) return '/setup';
    const isPage = method === 'GET' && originalUrl !== '/';
    return isPage ? `/sign-in?next=${encodeURIComponent(originalUrl)}` : '/sign-in';
  }
}
