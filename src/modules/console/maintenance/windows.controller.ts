import { Get, Param, Post, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { KEEPS_NOTHING } from '../../../http/idempotency/keep-answer.js';
import { UNCONDITIONAL } from '../../../http/items/if-match.decorator.js';
import { type TeamId } from '../../../http/auth/principal.js';
import {
  ListMaintenanceWindowsDto,
  WINDOW_STATES,
  type WindowState,
} from '../../maintenance/dto/list-maintenance-windows.dto.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { MaintenanceRunsService } from '../../maintenance/maintenance-runs.service.js';
import { MaintenanceWindowWritesService } from '../../maintenance/maintenance-window-writes.service.js';
import { MaintenanceWindowsService } from '../../maintenance/maintenance-windows.service.js';
import { MaintenanceSpansService } from '../../monitors/history/maintenance-spans.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { extensionBody, START_FORM, startBody, WINDOW_FORM } from './window-form.js';
import { renderDeleteWindow, renderWindow } from './window.view.js';
import { MAINTENANCE_PATH, renderWindows, type WindowList } from './windows.view.js';

/** The number of past occurrences that the page of a window shows. */
const LATEST_SHOWN = 10;

/** The pages of section "Maintenance" that list and show windows, and the actions on them. */
@Pages(MAINTENANCE_PATH.slice(1))
export class MaintenancePageController {
  constructor(
    private readonly windows: MaintenanceWindowsService,
    private readonly writes: MaintenanceWindowWritesService,
    private readonly runs: MaintenanceRunsService,
    private readonly spans: MaintenanceSpansService,
    private readonly search: MonitorSearch,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Req() { query: sent }: PageRequest,
  ): Promise<PageAnswer> {
    const query = listQuery(ListMaintenanceWindowsDto, sent, ['state', 'cursor']);
    // A cursor belongs to one of the lists, so the address with it also contains the state.
    const states = query.state ? [query.state] : WINDOW_STATES;
    const lists = await Promise.all(states.map((state) => this.listOf(teamId, { ...query, state })));
    return new Html(renderWindows(frame, lists));
  }

  @Get(':id')
  @RequireRole('viewer')
  show(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    return this.shown(frame, who, id, FormState.blank(START_FORM));
  }

  @Post(':id/start')
  @RequireRole('editor')
  async start(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const extended = form.has('extend') ? await this.windows.get(who.teamId, id) : null;
    const body = extended ? extensionBody(form, extended, frame.nowMs) : startBody(form);
    const { value, refusal } = await attempt(() => this.runs.start(who.teamId, id, body, UNCONDITIONAL, KEEPS_NOTHING));
    if (!refusal)
      return new SeeOther(done(`${MAINTENANCE_PATH}/${value.id}`, extended?.active ? 'extended' : 'started'));
    return this.shown(frame, who, id, FormState.refused(START_FORM, form, refusal));
  }

  @Post(':id/end')
  @RequireRole('editor')
  async end(@CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    const window = await this.runs.end(who.teamId, id, {}, UNCONDITIONAL, KEEPS_NOTHING);
    return new SeeOther(done(`${MAINTENANCE_PATH}/${window.id}`, 'ended'));
  }

  @Get(':id/delete')
  @RequireRole('editor')
  async askDeletion(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderDeleteWindow(frame, await this.windows.get(who.teamId, id)));
  }

  @Post(':id/delete')
  @RequireRole('editor')
  async remove(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { refusal } = await attempt(() => this.writes.remove(who.teamId, id));
    if (!refusal) return new SeeOther(done(MAINTENANCE_PATH, 'deleted'));
    const state = FormState.refused(WINDOW_FORM, form, refusal);
    return Html.around(state, renderDeleteWindow(frame, await this.windows.get(who.teamId, id), state));
  }

  private async listOf(teamId: TeamId, query: ListMaintenanceWindowsDto & { state: WindowState }): Promise<WindowList> {
    // The API lists the newest first, but among upcoming windows the next one matters most.
    const isUpcoming = query.state === 'upcoming';
    const { data, nextCursor } = await (isUpcoming
      ? this.windows.upcoming(teamId, query)
      : this.windows.list(teamId, query));
    return { state: query.state, windows: data as MaintenanceWindowDto[], nextCursor };
  }

  private async shown(frame: PageFrame, { teamId }: SignedIn, id: string, start: FormState): Promise<Html> {
    const window = await this.windows.get(teamId, id);
    const [monitors, latest] = await Promise.all([
      this.search.named(teamId, window.monitorIds),
      this.spans.latest(window.id, frame.nowMs, LATEST_SHOWN),
    ]);
    return Html.around(start, renderWindow(frame, { window, monitors, latest, start }));
  }
}
