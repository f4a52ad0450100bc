import { Get, Post, Query, Req } from '@nestjs/common';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { SessionCookie } from '../../people/session-cookie.service.js';
import { SetupService } from '../../people/setup.service.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { browserOf } from './browser-of.js';
import { renderIsSetUp, renderSetup, SETUP_FORM } from './setup.view.js';

@Pages('setup', { signedIn: false })
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  async form(@Frame() frame: PageFrame, @Query('token') token: unknown): Promise<PageAnswer> {
    if (await this.setup.isDone()) return isSetUp(frame);
    const given = typeof token === 'string' ? token : '';
    return new Html(renderSetup(frame, FormState.blank(SETUP_FORM, { token: given, teamName: 'Default' })));
  }

  @Post()
  async setUp(@Frame() frame: PageFrame, @Req() request: PageRequest, @Form() form: FormFields): Promise<PageAnswer> {
    if (await this.setup.isDone()) return isSetUp(frame);
    const [name, email, password, teamName] = ['name', 'email', 'password', 'teamName'].map((one) => form.text(one));
    const { value: token, refusal } = await attempt(() =>
      this.setup.setUp(form.text('token').trim(), { name, email, password, teamName }, browserOf(request, this.cookie)),
    );
    if (!refusal) return new SeeOther('/', { 'Set-Cookie': this.cookie.give(token) });
    const state = FormState.refused(SETUP_FORM, form, refusal);
    return Html.around(state, renderSetup(frame, state));
  }
}

function isSetUp(frame: PageFrame): Html {
  return new Html(renderIsSetUp(frame), 409);
}
