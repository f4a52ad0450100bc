import { Get, Param, Post, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { ListSubscribersDto } from '../../status-pages/subscribers/dto/subscriber.dto.js';
import { SubscribersService } from '../../status-pages/subscribers/subscribers.service.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { STATUS_PAGES_PATH } from './pages.view.js';
import { renderNewSubscriber } from './new-subscriber.view.js';
import { IMPORT_FORM, importBody, SUBSCRIBER_FORM, subscriberBody } from './subscriber-form.js';
import { renderImport, renderImported, renderSubscribers, subscribersPath } from './subscribers.view.js';

/** The pages that list the subscribers of a status page, add, import and remove them: for owners, as in the API. */
@Pages(`${STATUS_PAGES_PATH.slice(1)}/:id/subscribers`)
export class SubscribersPageController {
  constructor(
    private readonly pages: StatusPagesService,
    private readonly subscribers: SubscribersService,
  ) {}

  @Get()
  @RequireRole('owner')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Req() { query }: PageRequest,
  ): Promise<PageAnswer> {
    const one = await this.pages.get(teamId, id);
    const { data, nextCursor } = await this.subscribers.list(
      teamId,
      one.id,
      listQuery(ListSubscribersDto, query, ['cursor']),
    );
    const count = await this.subscribers.count(teamId, one.id);
    return new Html(renderSubscribers(frame, { one, subscribers: data, count, nextCursor }));
  }

  @Get('new')
  @RequireRole('owner')
  async blankSubscriber(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderNewSubscriber(frame, await this.pages.get(teamId, id), FormState.blank(SUBSCRIBER_FORM)));
  }

  @Post('new')
  @RequireRole('owner')
  async add(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const one = await this.pages.get(teamId, id);
    const { value, refusal } = await attempt(() => this.subscribers.create(teamId, one.id, subscriberBody(form)));
    if (!refusal) return new SeeOther(done(subscribersPath(one.id), value.status === 'active' ? 'added' : 'invited'));
    const state = FormState.refused(SUBSCRIBER_FORM, form, refusal);
    return Html.around(state, renderNewSubscriber(frame, one, state));
  }

  @Get('import')
  @RequireRole('owner')
  async blank(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderImport(frame, await this.pages.get(teamId, id), FormState.blank(IMPORT_FORM)));
  }

  @Post('import')
  @RequireRole('owner')
  async import(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const one = await this.pages.get(teamId, id);
    const { value, refusal } = await attempt(() => this.subscribers.import(teamId, one.id, importBody(form)));
    if (!refusal) return new Html(renderImported(frame, one, value));
    const state = FormState.refused(IMPORT_FORM, form, refusal);
    return Html.around(state, renderImport(frame, one, state));
  }

  @Post(':subscriberId/remove')
  @RequireRole('owner')
  async remove(
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Param('subscriberId') subscriberId: string,
  ): Promise<PageAnswer> {
    await this.subscribers.remove(teamId, id, subscriberId);
    return new SeeOther(done(subscribersPath(id), 'removed'));
  }
}
