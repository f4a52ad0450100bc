import { Get, Param, Post } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { notFound } from '../../../http/problems/problem.js';
import { InvitationMails } from '../../people/invitation-mails.service.js';
import { MembershipService } from '../../people/membership.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { InvitationsService } from '../../teams/invitations.service.js';
import { MembersService, type MemberSummary } from '../../teams/members.service.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { INVITE_FORM, MEMBER_FORM, TEAM_FORM, TEAM_PATH } from './team-forms.js';
import { renderInvitationLink } from './invitation-link.view.js';
import { renderLeaveTeam, renderRemoveMember } from './membership.view.js';
import { renderTeam } from './team.view.js';

/** The page "Team" of section "Settings": the members and invitations. */
@Pages(TEAM_PATH.slice(1))
export class TeamPageController {
  constructor(
    private readonly memberships: MembershipService,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly mails: InvitationMails,
  ) {}

  @Get()
  @RequireRole('viewer')
  show(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn): Promise<PageAnswer> {
    return this.shown(frame, who, {});
  }

  @Post()
  @RequireRole('owner')
  async rename(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const body = { name: form.text('name').trim() };
    const { refusal } = await attempt(() => this.memberships.renameTeam(who.teamId, body));
    if (!refusal) return new SeeOther(done(TEAM_PATH, 'renamed'));
    return this.shown(frame, who, { name: FormState.refused(TEAM_FORM, form, refusal) });
  }

  @Post('members/:userId/role')
  @RequireRole('owner')
  async changeRole(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('userId') userId: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const body = { role: form.text('role') };
    const { value: revoked, refusal } = await attempt(() => this.memberships.changeRole(who.teamId, userId, body));
    if (!refusal) return new SeeOther(done(TEAM_PATH, revoked > 0 ? 'role-and-keys' : 'role-changed'));
    return this.shown(frame, who, { member: FormState.refused(MEMBER_FORM, form, refusal) });
  }

  @Get('members/:userId/remove')
  @RequireRole('owner')
  async askRemoval(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('userId') userId: string,
  ): Promise<PageAnswer> {
    return new Html(renderRemoveMember(frame, await this.member(who, userId)));
  }

  @Post('members/:userId/remove')
  @RequireRole('owner')
  async remove(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('userId') userId: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { value: revoked, refusal } = await attempt(() => this.memberships.remove(who.teamId, userId));
    if (!refusal) {
      const result = revoked > 0 ? 'removed-with-keys' : 'removed';
      return new SeeOther(userId === who.userId ? '/' : done(TEAM_PATH, result));
    }
    const state = FormState.refused(MEMBER_FORM, form, refusal);
    return Html.around(state, renderRemoveMember(frame, await this.member(who, userId), state));
  }

  @Get('leave')
  @RequireRole('viewer')
  askLeaving(@Frame() frame: PageFrame): PageAnswer {
    return new Html(renderLeaveTeam(frame));
  }

  @Post('leave')
  @RequireRole('viewer')
  async leave(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { refusal } = await attempt(() => this.memberships.remove(who.teamId, who.userId));
    if (!refusal) return new SeeOther('/');
    const state = FormState.refused(MEMBER_FORM, form, refusal);
    return Html.around(state, renderLeaveTeam(frame, state));
  }

  @Post('invitations')
  @RequireRole('owner')
  async invite(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const body = { role: form.text('role'), email: form.text('email').trim() || null };
    const { value, refusal } = await attempt(() => this.memberships.invite(who, body));
    if (refusal) return this.shown(frame, who, { invite: FormState.refused(INVITE_FORM, form, refusal) });
    const link = `${frame.origin}/invitations/${value.token}`;
    const mailed = await this.mails.send(who, value, link);
    return new Html(renderInvitationLink(frame, { link, invitation: value, mailed }));
  }

  @Post('invitations/:id/revoke')
  @RequireRole('owner')
  async revokeInvitation(@CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    await this.invitations.revoke(who.teamId, id);
    return new SeeOther(done(TEAM_PATH, 'invitation-revoked'));
  }

  private async member({ teamId }: SignedIn, userId: string): Promise<MemberSummary> {
    const member = (await this.members.list(teamId)).find((one) => one.userId === userId);
    if (!member) throw notFound();
    return member;
  }

  private async shown(
    frame: PageFrame,
    { teamId, teamName, role }: SignedIn,
    sent: { name?: FormState; member?: FormState; invite?: FormState },
  ): Promise<Html> {
    const [members, invitations] = await Promise.all([
      this.members.list(teamId),
      role === 'owner' ? this.invitations.open(teamId) : [],
    ]);
    const refused = sent.name ?? sent.member ?? sent.invite;
    const html = renderTeam(frame, {
      members,
      invitations,
      refused,
      canMail: this.mails.canSend,
      name: sent.name ?? FormState.blank(TEAM_FORM, { name: teamName }),
      invite: sent.invite ?? FormState.blank(INVITE_FORM, { role: 'editor' }),
    });
    return Html.around(refused, html);
  }
}
