import { Post } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { setCookie } from '../../http/auth/cookies.js';
import { Form, type FormFields } from '../../http/body/form-fields.js';
import { localPath } from './local-path.js';
import { type PageAnswer, SeeOther } from './page-answer.js';
import { THEME_COOKIE, THEMES } from './page-frame.js';
import { Pages } from './pages.decorator.js';

const YEAR_SECONDS = 365 * 86_400;

/** Stores the chosen theme in a cookie: light, dark or that of the device. */
@Pages('theme', { signedIn: false })
export class ThemeController {
  constructor(private readonly config: AppConfig) {}

  @Post()
  choose(@Form() form: FormFields): PageAnswer {
    const theme = THEMES.find((one) => one === form.text('theme')) ?? 'auto';
    const secure = this.config.get('PUBLIC_URL')?.startsWith('https:') ?? false;
    // The script of the pages also writes this cookie.
    const cookie = setCookie(THEME_COOKIE, theme, { maxAgeSeconds: YEAR_SECONDS, httpOnly: false, secure });
    return new SeeOther(localPath(form.text('next')), { 'Set-Cookie': cookie });
  }
}
