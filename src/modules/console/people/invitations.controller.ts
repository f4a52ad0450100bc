import { Get, Param, Post, Req } from '@nestjs/common';
import { RequireRole, Session } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { JoiningService } from '../../people/joining.service.js';
import { SessionCookie } from '../../people/session-cookie.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { InvitationsService, type Invited } from '../../teams/invitations.service.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { browserOf } from './browser-of.js';
import { JOIN_FORM, renderInvitation, renderNoInvitation } from './invitation.view.js';
import { SIGN_IN_FORM } from './sign-in.view.js';

/**
 * The pages by which people join a team. The link is the only credential that they need; it is as long as an API key.
 */
@Pages('invitations/:token')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly joining: JoiningService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  @Session({ signedIn: false })
  look(@Frame() frame: PageFrame, @Param('token') token: string): Promise<PageAnswer> {
    return this.whereOpen(frame, token, (invited) => Promise.resolve(shown(frame, token, invited, {})));
  }

  @Post()
  @Session({ signedIn: false })
  asNewPerson(
    @Frame() frame: PageFrame,
    @Req() request: PageRequest,
    @Param('token') token: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    return this.whereOpen(frame, token, async (invited) => {
      const [name, email, password] = ['name', 'email', 'password'].map((one) => form.text(one));
      const { value: session, refusal } = await attempt(() =>
        this.joining.asNewPerson(invited, { name, email, password }, browserOf(request, this.cookie)),
      );
      if (!refusal) return this.joined(session);
      return shown(frame, token, invited, { join: FormState.refused(JOIN_FORM, form, refusal) });
    });
  }

  @Post('sign-in')
  @Session({ signedIn: false })
  bySigningIn(
    @Frame() frame: PageFrame,
    @Req() request: PageRequest,
    @Param('token') token: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    return this.whereOpen(frame, token, async (invited) => {
      const browser = browserOf(request, this.cookie);
      const { value: session, refusal } = await attempt(() =>
        this.joining.bySigningIn(invited, form.text('email'), form.text('password'), browser),
      );
      if (!refusal) return this.joined(session);
      return shown(frame, token, invited, { signIn: FormState.refused(SIGN_IN_FORM, form, refusal) });
    });
  }

  @Post('join')
  @RequireRole('viewer')
  asSignedIn(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('token') token: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    return this.whereOpen(frame, token, async (invited) => {
      const { refusal } = await attempt(() => this.joining.asSignedIn(invited, who));
      if (!refusal) return new SeeOther('/');
      return shown(frame, token, invited, { join: FormState.refused(JOIN_FORM, form, refusal) });
    });
  }

  private joined(session: string): SeeOther {
    return new SeeOther('/', { 'Set-Cookie': this.cookie.give(session) });
  }

  private async whereOpen(
    frame: PageFrame,
    token: string,
    then: (invited: Invited) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    const invited = await this.invitations.look(token);
    return invited?.state === 'open' ? then(invited) : new Html(renderNoInvitation(frame, invited?.state ?? null), 404);
  }
}

interface Forms {
  join?: FormState;
  signIn?: FormState;
}

function shown(frame: PageFrame, token: string, invited: Invited, sent: Forms): Html {
  return Html.around(sent.join ?? sent.signIn, renderInvitation(frame, { token, invited, ...sent }));
}
