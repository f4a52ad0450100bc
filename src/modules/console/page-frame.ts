import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { cookieOf } from '../../http/auth/cookies.js';
import { type SessionRequest, type SignedIn } from '../people/signed-in.types.js';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_COOKIE = 'dw_theme';

/** The properties of a request that every page needs. */
export interface PageFrame {
  /** Null if nobody is signed in. */
  who: SignedIn | null;
  theme: Theme;
  /** The path of the page with its query, but without `done`, for links and forms that return to it. */
  path: string;
  /** The origin under which people reach the service, for links and commands to copy. */
  origin: string;
  /** The word for the action just completed, which `done()` added to the address; empty if there is none. */
  done: string;
  /** Epoch milliseconds. */
  nowMs: number;
}

/** A request of the web application. */
export interface PageRequest extends SessionRequest {
  frame?: PageFrame;
}

/** Returns the frame of the page that responds to a request. `origin` is that of its links. */
export function frameOf(request: PageRequest, origin: string, nowMs: number): PageFrame {
  const { headers, method, query, originalUrl } = request;
  const theme = cookieOf(headers.cookie, THEME_COOKIE);
  return {
    who: request.signedIn ?? null,
    theme: THEMES.find((one) => one === theme) ?? 'auto',
    // The path to which a form is sent may have no page.
    path: method === 'GET' ? originalUrl.replace(/[?&]done=[^&]*$/, '') : '/',
    origin,
    done: typeof query.done === 'string' ? query.done : '',
    nowMs,
  };
}

/** Injects the frame of the page that a handler returns. Throws in controllers without `@Pages()`. */
export const Frame = createParamDecorator((_: unknown, context: ExecutionContext): PageFrame => {
  const { frame } = context.switchToHttp().getRequest<PageRequest>();
  if (!frame) throw new Error('@Frame() requires a controller that is marked with @Pages()');
  return frame;
});

/** Injects the signed-in person and their team. Throws if nobody is signed in. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): SignedIn => {
  const { signedIn } = context.switchToHttp().getRequest<PageRequest>();
  if (!signedIn) throw new Error('@CurrentSession() must not be used on routes for guests');
  return signedIn;
});

/**
 * Returns the address to redirect to after a write, with the word for the action that the page there reports as done.
 */
export function done(path: string, word: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}done=${word}`;
}
