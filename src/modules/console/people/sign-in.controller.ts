import { Get, Post, Query, Req } from '@nestjs/common';
import { RequireRole, Session, TakeFormsOfAnyTeam } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { AccountService } from '../../people/account.service.js';
import { PasswordResets } from '../../people/password-resets.service.js';
import { SessionCookie } from '../../people/session-cookie.service.js';
import { SetupService } from '../../people/setup.service.js';
import { SignInService } from '../../people/sign-in.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { localPath } from '../local-path.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { browserOf } from './browser-of.js';
import { renderSignIn, SIGN_IN_FORM } from './sign-in.view.js';

@Pages()
export class SignInController {
  constructor(
    private readonly setup: SetupService,
    private readonly signIns: SignInService,
    private readonly account: AccountService,
    private readonly resets: PasswordResets,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('sign-in')
  @Session({ signedIn: false })
  async form(@Frame() frame: PageFrame, @Query('next') next: unknown): Promise<PageAnswer> {
    const path = localPath(typeof next === 'string' ? next : '/');
    if (frame.who) return new SeeOther(path);
    if (!(await this.setup.isDone())) return new SeeOther('/setup');
    return new Html(this.page(frame, FormState.blank(SIGN_IN_FORM), path));
  }

  @Post('sign-in')
  @Session({ signedIn: false })
  async signIn(@Frame() frame: PageFrame, @Req() request: PageRequest, @Form() form: FormFields): Promise<PageAnswer> {
    const next = localPath(form.text('next'));
    const { value: token, refusal } = await attempt(() =>
      this.signIns.signIn(form.text('email'), form.text('password'), browserOf(request, this.cookie)),
    );
    if (!refusal) return new SeeOther(next, { 'Set-Cookie': this.cookie.give(token) });
    const state = FormState.refused(SIGN_IN_FORM, form, refusal);
    return Html.around(state, this.page(frame, state, next));
  }

  @Post('sign-out')
  @RequireRole('viewer')
  @TakeFormsOfAnyTeam()
  async signOut(@CurrentSession() who: SignedIn): Promise<PageAnswer> {
    await this.account.signOut(who);
    return new SeeOther('/sign-in?done=signed-out', { 'Set-Cookie': this.cookie.take() });
  }

  @Post('team')
  @RequireRole('viewer')
  @TakeFormsOfAnyTeam()
  async lookAt(@CurrentSession() who: SignedIn, @Form() form: FormFields): Promise<PageAnswer> {
    await this.account.lookAt(who, form.text('team'));
    return new SeeOther('/');
  }
  private page(frame: PageFrame, form: FormState, next: string): string {
    return renderSignIn(frame, { form, next, canReset: this.resets.isOffered });
  }
}
