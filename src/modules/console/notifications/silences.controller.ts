import { Get, Param, Post, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { authorOf, type TeamId } from '../../../http/auth/principal.js';
import { FormFields } from '../../../http/body/form-fields.js';
import { ListSilencesDto } from '../../notification-policies/dto/silence.dto.js';
import { SilencesService } from '../../notification-policies/silences.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { UsersService } from '../../users/users.service.js';
import { attempt } from '../attempt.js';
import { peopleAmong } from '../author-words.js';
import { FormState } from '../form-state.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { PickerForm, stepWithMonitors } from '../picker/picked-ids.js';
import { SILENCES_PATH } from './notification-tabs.js';
import { PolicyNamesService } from './policy-names.service.js';
import { SILENCE_DEFAULTS, SILENCE_FORM, silenceBody } from './silence-form.js';
import { renderNewSilence, renderSilences } from './silences.view.js';

/** The pages that list silences, create them and end them. */
@Pages(SILENCES_PATH.slice(1))
export class SilencesPageController {
  constructor(
    private readonly silences: SilencesService,
    private readonly names: PolicyNamesService,
    private readonly search: MonitorSearch,
    private readonly users: UsersService,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Req() { query: sent }: PageRequest,
  ): Promise<PageAnswer> {
    const { data, nextCursor } = await this.silences.list(teamId, listQuery(ListSilencesDto, sent, ['cursor']));
    const matches = data.map(({ match }) => match);
    const [monitors, people] = await Promise.all([
      this.names.monitors(teamId, matches),
      this.users.byId(peopleAmong(data.map(({ createdBy }) => createdBy))),
    ]);
    return new Html(renderSilences(frame, { silences: data, nextCursor, monitors, people }));
  }

  @Get('new')
  @RequireRole('editor')
  blank(@Frame() frame: PageFrame, @CurrentSession() { teamId }: SignedIn): Promise<PageAnswer> {
    return this.shown(frame, teamId, FormState.blank(SILENCE_FORM, SILENCE_DEFAULTS));
  }

  @Post('new')
  @RequireRole('editor')
  async create(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const step = stepWithMonitors(form);
    if (step) {
      const fields = new FormFields(new URLSearchParams(step));
      return this.shown(frame, who.teamId, FormState.sent(SILENCE_FORM, fields));
    }
    const { refusal } = await attempt(async () => this.silences.create(who.teamId, authorOf(who), silenceBody(form)));
    if (!refusal) return new SeeOther(done(SILENCES_PATH, 'created'));
    return this.shown(frame, who.teamId, FormState.refused(SILENCE_FORM, form, refusal));
  }

  @Post(':id/end')
  @RequireRole('editor')
  async end(@CurrentSession() { teamId }: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    await this.silences.remove(teamId, id);
    return new SeeOther(done(SILENCES_PATH, 'ended'));
  }

  private async shown(frame: PageFrame, teamId: TeamId, form: FormState): Promise<Html> {
    const [picks, tags] = await Promise.all([this.search.picks(teamId, form), this.search.tags(teamId)]);
    return Html.around(form, renderNewSilence(frame, { form, tags, ...picks }));
  }
}
