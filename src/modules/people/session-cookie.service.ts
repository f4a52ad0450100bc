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
    // With this prefix browsers take it over https alone, and from no neighbouring subdomain.
    this.name = this.secure ? '__Host-dw_session' : 'dw_session';
  }

  /** The token that a browser sends; null where it has none. */
  read(cookies: string | undefined): string | null {
    return cookieOf(cookies, this.name);
  }

  /** The `Set-Cookie` header that hands a browser its token. */
  give(token: string): string {
    const maxAgeSeconds = SessionsService.maxAgeSeconds;
    return setCookie(this.name, token, { maxAgeSeconds, httpOnly: true, secure: this.secure });
  }

  /** The one that takes it away. */
  take(): string {
    return setCookie(this.name, '', { maxAgeSeconds: 0, httpOnly: true, secure: this.secure });
  }
}
