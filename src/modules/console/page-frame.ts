import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { cookieOf } from '../../http/auth/cookies.js';
import { type SessionRequest, type SignedIn } from '../people/signed-in.types.js';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_COOKIE = 'dw_theme';

/** What every page knows of the request that it answers. */
export interface PageFrame {
  /** Null where nobody is signed in. */
  who: SignedIn | null;
  theme: Theme;
  /** The path of the page with its query, for forms that come back to it. */
  path: string;
  /** Where people reach the service, for the lines to copy. */
  origin: string;
  /** What was done just before, as `done()` names it; one of a page's own words, or nothing. */
  done: string;
  /** Epoch milliseconds. */
  nowMs: number;
}

/** A request of the web application. */
export interface PageRequest extends SessionRequest {
  frame?: PageFrame;
}

/** The frame of a page that answers this request. */
export function frameOf(request: PageRequest, publicUrl: string | null, nowMs: number): PageFrame {
  const { headers, method, query, originalUrl, protocol, host = '' } = request;
  const theme = cookieOf(headers.cookie, THEME_COOKIE);
  return {
    who: request.signedIn ?? null,
    theme: THEMES.find((one) => one === theme) ?? 'auto',
    // What answers a form may have no page of its own.
    path: method === 'GET' ? originalUrl : '/',
    origin: publicUrl ?? `${protocol}://${host}`,
    done: typeof query.done === 'string' ? query.done : '',
    nowMs,
  };
}

/** The frame of the page that a handler answers with. */
export const Frame = createParamDecorator((_: unknown, context: ExecutionContext): PageFrame => {
  const { frame } = context.switchToHttp().getRequest<PageRequest>();
  if (!frame) throw new Error('Pages stand in controllers marked with @Pages()');
  return frame;
});

/** Who is signed in; throws on routes for guests. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): SignedIn => {
  const { signedIn } = context.switchToHttp().getRequest<PageRequest>();
  if (!signedIn) throw new Error('There is nobody signed in on a route for guests');
  return signedIn;
});

/** The address to go on to after a write, with the word for what the page there tells as done. */
export function done(path: string, word: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}done=${word}`;
}
