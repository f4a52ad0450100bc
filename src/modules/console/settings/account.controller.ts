import { Get, Param, Post, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { AccountService } from '../../people/account.service.js';
import { SessionCookie } from '../../people/session-cookie.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { ACCOUNT_PATH, NAME_FORM, PASSWORD_FORM, renderAccount } from './account.view.js';

/** The page "Account" of section "Settings", where people manage their own account. */
@Pages(ACCOUNT_PATH.slice(1))
export class AccountPageController {
  constructor(
    private readonly account: AccountService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  @RequireRole('viewer')
  show(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn): Promise<PageAnswer> {
    return this.shown(frame, who, {});
  }

  @Post('name')
  @RequireRole('viewer')
  async rename(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { refusal } = await attempt(() => this.account.rename(who, { name: form.text('name') }));
    if (!refusal) return new SeeOther(done(ACCOUNT_PATH, 'renamed'));
    return this.shown(frame, who, { name: FormState.refused(NAME_FORM, form, refusal) });
  }

  @Post('password')
  @RequireRole('viewer')
  async changePassword(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Req() { ip = '' }: PageRequest,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const change = { currentPassword: form.text('currentPassword'), password: form.text('password') };
    const { refusal } = await attempt(() => this.account.changePassword(who, change, ip));
    if (!refusal) return new SeeOther(done(ACCOUNT_PATH, 'password-changed'));
    return this.shown(frame, who, { password: FormState.refused(PASSWORD_FORM, form, refusal) });
  }

  @Post('sessions/:id/sign-out')
  @RequireRole('viewer')
  async signOutPlace(@CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    await this.account.signOutPlace(who, id);
    return new SeeOther(done(ACCOUNT_PATH, 'signed-out'));
  }

  @Post('sign-out-others')
  @RequireRole('viewer')
  async signOutOthers(@CurrentSession() who: SignedIn): Promise<PageAnswer> {
    await this.account.signOutOthers(who);
    return new SeeOther(done(ACCOUNT_PATH, 'signed-out-others'));
  }

  @Post('sign-out-everywhere')
  @RequireRole('viewer')
  async signOutEverywhere(@CurrentSession() who: SignedIn): Promise<PageAnswer> {
    await this.account.signOutEverywhere(who);
    return new SeeOther('/sign-in?done=signed-out-everywhere', { 'Set-Cookie': this.cookie.take() });
  }

  private async shown(
    frame: PageFrame,
    who: SignedIn,
    sent: { name?: FormState; password?: FormState },
  ): Promise<Html> {
    const places = await this.account.places(who);
    const refused = sent.name ?? sent.password;
    const html = renderAccount(frame, {
      places,
      refused,
      name: sent.name ?? FormState.blank(NAME_FORM, { name: who.name }),
      password: sent.password ?? FormState.blank(PASSWORD_FORM),
    });
    return Html.around(refused, html);
  }
}
