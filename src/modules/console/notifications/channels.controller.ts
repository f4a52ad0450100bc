import { Get, Param, Post, Query } from '@nestjs/common';
import { channelOf } from '../../../channels/index.js';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { ChannelRotationService } from '../../notification-channels/channel-rotation.service.js';
import { ChannelTestsService } from '../../notification-channels/channel-tests.service.js';
import { NotificationChannelWritesService } from '../../notification-channels/notification-channel-writes.service.js';
import { NotificationChannelsService } from '../../notification-channels/notification-channels.service.js';
import { type NotificationPolicyDto } from '../../notification-policies/dto/notification-policy.dto.js';
import { NotificationPoliciesService } from '../../notification-policies/notification-policies.service.js';
import { NotificationPolicyWritesService } from '../../notification-policies/notification-policy-writes.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { asOpened } from '../revision.js';
import {
  blankTexts,
  channelBody,
  channelForm,
  channelPatch,
  channelTexts,
  generatedSecret,
  NOTIFICATIONS_PATH,
} from './channel-form.js';
import { renderDeleteChannel, renderEditChannel, renderFailedTest, renderNewChannel } from './channel-form.view.js';
import { renderChannelSecret, renderRotateSecret } from './channel-secret.view.js';
import { renderChannels } from './channels.view.js';
import { PolicyNamesService } from './policy-names.service.js';

const FIRST_TYPE = 'email';

/** The page "Notifications" of section "Settings": where the team is notified, and of what. */
@Pages(NOTIFICATIONS_PATH.slice(1))
export class ChannelsPageController {
  constructor(
    private readonly channels: NotificationChannelsService,
    private readonly writes: NotificationChannelWritesService,
    private readonly tests: ChannelTestsService,
    private readonly rotations: ChannelRotationService,
    private readonly policies: NotificationPoliciesService,
    private readonly policyWrites: NotificationPolicyWritesService,
    private readonly names: PolicyNamesService,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(@Frame() frame: PageFrame, @CurrentSession() { teamId }: SignedIn): Promise<PageAnswer> {
    const [channels, policies] = await Promise.all([this.names.channels(teamId), this.allPolicies(teamId)]);
    const matches = policies.map(({ match }) => match);
    const names = await this.names.of(teamId, channels, matches);
    return new Html(renderChannels(frame, { channels, policies, names }));
  }

  @Get('new')
  @RequireRole('editor')
  async blank(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<PageAnswer> {
    const type = knownType(query.type);
    const given = ['name', 'key'].flatMap((name) => (typeof query[name] === 'string' ? [[name, query[name]]] : []));
    const texts = { ...blankTexts(type), everything: 'on', ...(Object.fromEntries(given) as Record<string, string>) };
    return this.newForm(frame, teamId, type, FormState.blank(channelForm(type), texts));
  }

  @Post()
  @RequireRole('editor')
  async create(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const type = knownType(form.text('type'));
    const { value: channel, refusal } = await attempt(() => this.writes.create(teamId, channelBody(type, form)));
    if (refusal) return this.newForm(frame, teamId, type, FormState.refused(channelForm(type), form, refusal));
    if (form.text('everything') !== '') {
      const steps = [{ afterSeconds: 0, channelIds: [channel.id] }];
      // The channel exists: if the team cannot have another policy, the page says that nobody is notified.
      await attempt(() => this.policyWrites.create(teamId, { name: 'Everything', match: { all: true }, steps }));
    }
    const [secret, next] = [generatedSecret(channel), done(NOTIFICATIONS_PATH, 'created')];
    if (!secret) return new SeeOther(next);
    return new Html(renderChannelSecret(frame, { title: 'Channel created', channel, secret, next }));
  }

  @Get(':id/edit')
  @RequireRole('editor')
  async edit(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const channel = await this.channels.get(teamId, id);
    const form = FormState.blank(channelForm(channel.type), channelTexts(channel));
    return new Html(renderEditChannel(frame, channel, form));
  }

  @Post(':id/edit')
  @RequireRole('editor')
  async save(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const channel = await this.channels.get(teamId, id);
    const patch = channelPatch(channel, form);
    const { refusal } = await attempt(() => this.writes.update(teamId, channel.id, patch, asOpened(form)));
    if (!refusal) return new SeeOther(done(NOTIFICATIONS_PATH, 'saved'));
    const state = FormState.refused(channelForm(channel.type), form, refusal);
    return Html.around(state, renderEditChannel(frame, channel, state));
  }

  @Post(':id/test')
  @RequireRole('editor')
  async test(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const channel = await this.channels.get(teamId, id);
    const delivery = await this.tests.run(teamId, channel.id, {});
    if (delivery.status === 'sent') return new SeeOther(done(NOTIFICATIONS_PATH, 'sent'));
    return new Html(renderFailedTest(frame, channel, delivery));
  }

  @Get(':id/rotate')
  @RequireRole('owner')
  async askRotation(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderRotateSecret(frame, await this.channels.get(teamId, id)));
  }

  @Post(':id/rotate')
  @RequireRole('owner')
  async rotate(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const channel = await this.channels.get(teamId, id);
    const { value, refusal } = await attempt(() => this.rotations.rotate(teamId, channel.id, {}));
    if (!refusal) {
      const secret = generatedSecret(value)!;
      const props = { title: 'Secret rotated', channel, secret, isRotated: true, next: NOTIFICATIONS_PATH };
      return new Html(renderChannelSecret(frame, props));
    }
    const state = FormState.refused(channelForm(channel.type), form, refusal);
    return Html.around(state, renderRotateSecret(frame, channel, state));
  }

  @Get(':id/delete')
  @RequireRole('editor')
  async askDeletion(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderDeleteChannel(frame, await this.channels.get(teamId, id)));
  }

  @Post(':id/delete')
  @RequireRole('editor')
  async remove(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const channel = await this.channels.get(teamId, id);
    const { refusal } = await attempt(() => this.writes.remove(teamId, channel.id));
    if (!refusal) return new SeeOther(done(NOTIFICATIONS_PATH, 'deleted'));
    const state = FormState.refused(channelForm(channel.type), form, refusal);
    return Html.around(state, renderDeleteChannel(frame, channel, state));
  }

  private async allPolicies(teamId: TeamId): Promise<NotificationPolicyDto[]> {
    return this.policies.shown(teamId, await this.policies.all(teamId));
  }

  /** The first channel offers a policy for everything. */
  private async newForm(frame: PageFrame, teamId: TeamId, type: string, form: FormState): Promise<Html> {
    const offersEverything = (await this.policies.all(teamId)).length === 0;
    return Html.around(form, renderNewChannel(frame, { type, form, offersEverything }));
  }
}

function knownType(asked: unknown): string {
  return typeof asked === 'string' && channelOf(asked) ? asked : FIRST_TYPE;
}
