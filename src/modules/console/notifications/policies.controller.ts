import { Get, Param, Post } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { FormFields } from '../../../http/body/form-fields.js';
import { type ProblemException } from '../../../http/problems/problem.js';
import { type NotificationPolicyDto } from '../../notification-policies/dto/notification-policy.dto.js';
import { NotificationPoliciesService } from '../../notification-policies/notification-policies.service.js';
import { NotificationPolicyWritesService } from '../../notification-policies/notification-policy-writes.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { askedOf } from '../picker/asked.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { afterPick, MONITORS_FIELD, pickedIds, PickerForm } from '../picker/picked-ids.js';
import { asOpened } from '../revision.js';
import { NOTIFICATIONS_PATH } from './channel-form.js';
import { outlineOf, POLICIES_PATH, POLICY_DEFAULTS, policyBody, policyForm, policyTexts } from './policy-form.js';
import { renderDeletePolicy, renderPolicyEditor } from './policy-form.view.js';
import { PolicyNamesService } from './policy-names.service.js';
import { afterAction, STEP_ACTIONS, stepsIn } from './policy-steps.js';
import { policySentence } from './policy-words.js';

type Fields = Record<string, string>;

/** The pages that create, change and delete notification policies. The page of notifications lists them. */
@Pages(POLICIES_PATH.slice(1))
export class PoliciesPageController {
  constructor(
    private readonly policies: NotificationPoliciesService,
    private readonly writes: NotificationPolicyWritesService,
    private readonly names: PolicyNamesService,
    private readonly search: MonitorSearch,
  ) {}

  @Get('new')
  @RequireRole('editor')
  async blank(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn): Promise<PageAnswer> {
    return this.shown(frame, who, opened(POLICY_DEFAULTS), null);
  }

  @Post('new')
  @RequireRole('editor')
  async create(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const step = stepOf(form);
    if (step) return this.shown(frame, who, step, null);
    const { refusal } = await attempt(() => this.writes.create(who.teamId, policyBody(form, null)));
    if (!refusal) return new SeeOther(done(NOTIFICATIONS_PATH, 'policy-created'));
    return this.shown(frame, who, refused(form, refusal), null);
  }

  @Get(':id/edit')
  @RequireRole('editor')
  async edit(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    const policy = await this.policies.get(who.teamId, id);
    return this.shown(frame, who, opened(policyTexts(policy)), policy);
  }

  @Post(':id/edit')
  @RequireRole('editor')
  async change(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const policy = await this.policies.get(who.teamId, id);
    const step = stepOf(form);
    if (step) return this.shown(frame, who, step, policy);
    const body = policyBody(form, policy);
    const { refusal } = await attempt(() => this.writes.update(who.teamId, policy.id, body, asOpened(form)));
    if (!refusal) return new SeeOther(done(NOTIFICATIONS_PATH, 'policy-saved'));
    return this.shown(frame, who, refused(form, refusal), await this.policies.get(who.teamId, policy.id));
  }

  @Post(':id/enable')
  @RequireRole('editor')
  async enable(@CurrentSession() { teamId }: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    await this.writes.update(teamId, id, { enabled: true });
    return new SeeOther(done(NOTIFICATIONS_PATH, 'policy-enabled'));
  }

  @Post(':id/disable')
  @RequireRole('editor')
  async disable(@CurrentSession() { teamId }: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    await this.writes.update(teamId, id, { enabled: false });
    return new SeeOther(done(NOTIFICATIONS_PATH, 'policy-disabled'));
  }

  @Get(':id/delete')
  @RequireRole('editor')
  async askDeletion(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderDeletePolicy(frame, await this.policies.get(teamId, id)));
  }

  @Post(':id/delete')
  @RequireRole('editor')
  async remove(@CurrentSession() { teamId }: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    await this.writes.remove(teamId, id);
    return new SeeOther(done(NOTIFICATIONS_PATH, 'policy-deleted'));
  }

  private async shown(
    frame: PageFrame,
    { teamId }: SignedIn,
    { fields, form }: Shown,
    stored: NotificationPolicyDto | null,
  ): Promise<Html> {
    const outline = outlineOf(new FormFields(new URLSearchParams(fields)), stored);
    const [channels, tags, picked, hits] = await Promise.all([
      this.names.channels(teamId),
      this.search.tags(teamId),
      this.search.named(teamId, pickedIds(fields[MONITORS_FIELD] ?? '')),
      this.search.offered(teamId, fields.q ?? ''),
    ]);
    const sentence = policySentence(outline, await this.names.of(teamId, channels, [outline.match]));
    const steps = stepsIn(fields);
    return Html.around(
      form,
      renderPolicyEditor(frame, { form, stored, steps, channels, tags, picked, hits, sentence }),
    );
  }
}

/** A form with its contents. */
interface Shown {
  fields: Fields;
  form: FormState;
}

function opened(fields: Fields): Shown {
  return { fields, form: FormState.blank(policyForm(stepsIn(fields).length), fields) };
}

function refused(sent: FormFields, refusal: ProblemException): Shown {
  const fields = sent.record();
  return { fields, form: FormState.refused(policyForm(stepsIn(fields).length), sent, refusal) };
}

/** Returns the form after a step within it; null if it is to be saved. */
function stepOf(form: FormFields): Shown | null {
  const asked = askedOf(form, STEP_ACTIONS);
  if (asked.what === 'save') return null;
  const fields = afterAction(afterPick(form, asked), asked);
  const shape = policyForm(stepsIn(fields).length);
  return { fields, form: FormState.sent(shape, new FormFields(new URLSearchParams(fields))) };
}
