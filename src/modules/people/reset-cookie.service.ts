import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { cookieOf, setCookie } from '../../http/auth/cookies.js';

const MAX_AGE_SECONDS = 3_600;

/**
 * The cookie that holds the token of a link to reset a password. It takes the token out of the address of the page, and
 * so out of the history of the browser, and out of the referrers that its requests send.
 */
@Injectable()
export class ResetCookie {
  private readonly secure: boolean;
  private readonly name: string;

  constructor(config: AppConfig) {
    this.secure = config.get('PUBLIC_URL')?.startsWith('https:') ?? false;
    this.name = this.secure ? '__Host-dw_reset' : 'dw_reset';
  }

  /** Returns the token that a browser sends; null if it sends none. */
  read(cookies: string | undefined): string | null {
    return cookieOf(cookies, this.name);
  }

  /** Returns the `Set-Cookie` header that stores the token in the browser. */
  give(token: string): string {
    return setCookie(this.name, token, { maxAgeSeconds: MAX_AGE_SECONDS, httpOnly: true, secure: this.secure });
  }

  /** Returns the `Set-Cookie` header that deletes the token. */
  take(): string {
    return setCookie(this.name, '', { maxAgeSeconds: 0, httpOnly: true, secure: this.secure });
  }
}
