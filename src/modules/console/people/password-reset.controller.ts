import { Get, Param, Post, Req } from '@nestjs/common';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { PasswordResets } from '../../people/password-resets.service.js';
import { ResetCookie } from '../../people/reset-cookie.service.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import {
  FORGOT_FORM,
  FORGOT_PATH,
  renderForgotPassword,
  renderLinkRequested,
  renderNoResets,
} from './forgot-password.view.js';
import { renderInvalidLink, renderResetPassword, RESET_FORM, RESET_PATH } from './reset-password.view.js';

const NOT_INDEXED = { 'X-Robots-Tag': 'noindex' };

/** The pages by which people who forgot their password set a new one. The link is the only credential that they need. */
@Pages('', { signedIn: false })
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly cookie: ResetCookie,
  ) {}

  @Get(FORGOT_PATH)
  ask(@Frame() frame: PageFrame): PageAnswer {
    if (!this.resets.isOffered) return new Html(renderNoResets(frame), 404);
    if (frame.done === 'requested') return new Html(renderLinkRequested(frame));
    return new Html(renderForgotPassword(frame, FormState.blank(FORGOT_FORM)));
  }

  @Post(FORGOT_PATH)
  async request(
    @Frame() frame: PageFrame,
    @Req() { ip = '' }: PageRequest,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    if (!this.resets.isOffered) return new Html(renderNoResets(frame), 404);
    const { refusal } = await attempt(() => {
      this.resets.request({ email: form.text('email') }, ip);
      return Promise.resolve();
    });
    if (!refusal) return new SeeOther(done(FORGOT_PATH, 'requested'));
    const state = FormState.refused(FORGOT_FORM, form, refusal);
    return Html.around(state, renderForgotPassword(frame, state));
  }

  /** Moves the token from the address into a cookie. Following the link uses up nothing, because mail scanners do so. */
  @Get(`${RESET_PATH}/:token`)
  async follow(@Frame() frame: PageFrame, @Param('token') token: string): Promise<PageAnswer> {
    const headers = { ...NOT_INDEXED, 'Referrer-Policy': 'no-referrer' };
    if (!(await this.resets.find(token))) return this.invalid(frame, headers);
    return new SeeOther(RESET_PATH, { ...headers, 'Set-Cookie': this.cookie.give(token) });
  }

  @Get(RESET_PATH)
  async form(@Frame() frame: PageFrame, @Req() { headers }: PageRequest): Promise<PageAnswer> {
    const user = await this.resets.find(this.cookie.read(headers.cookie));
    if (!user) return this.invalid(frame, NOT_INDEXED);
    return new Html(renderResetPassword(frame, user.email, FormState.blank(RESET_FORM)), 200, NOT_INDEXED);
  }

  @Post(RESET_PATH)
  async reset(
    @Frame() frame: PageFrame,
    @Req() { headers }: PageRequest,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const token = this.cookie.read(headers.cookie);
    const user = await this.resets.find(token);
    if (!user || token === null) return this.invalid(frame, NOT_INDEXED);
    const { refusal } = await attempt(() => this.resets.reset(token, form.text('password')));
    if (!refusal) return new SeeOther(done('/sign-in', 'password-reset'), { 'Set-Cookie': this.cookie.take() });
    const state = FormState.refused(RESET_FORM, form, refusal);
    return new Html(renderResetPassword(frame, user.email, state), state.status, { ...state.headers, ...NOT_INDEXED });
  }

  private invalid(frame: PageFrame, headers: Record<string, string>): Html {
    return new Html(renderInvalidLink(frame, this.resets.isOffered), 404, headers);
  }
}
