import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { cookieOf, setCookie } from '../../http/auth/cookies.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** The cookie that holds the token of a session. */
@Injectable()
export class SessionCookie {
  private readonly secure: boolean;
  private readonly name: string;

  constructor(config: AppConfig) {
    this.secure = config.get('PUBLIC_URL')?.startsWith('https:') ?? false;
    // With this prefix, browsers accept the cookie only over HTTPS, and not from a neighbouring subdomain.
    this.name = this.secure ? '__Host-dw_session' : 'dw_session';
  }

  /** Returns the token that a browser sends; null if it sends none. */
  read(cookies: string | undefined): string | null {
    return cookieOf(cookies, this.name);
  }

  /** Returns the `Set-Cookie` header that stores the token in the browser. */
  give(token: string): string {
    const maxAgeSeconds = SessionsService.maxAgeSeconds;
    return setCookie(this.name, token, { maxAgeSeconds, httpOnly: true, secure: this.secure });
  }

  /** Returns the `Set-Cookie` header that deletes the token. */
  take(): string {
    return setCookie(this.name, '', { maxAgeSeconds: 0, httpOnly: true, secure: this.secure });
  }
}
