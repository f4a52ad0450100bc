import { Get, HttpStatus, Param, Post } from '@nestjs/common';
import { authorOf } from '../../../http/auth/principal.js';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { KEEPS_NOTHING } from '../../../http/idempotency/keep-answer.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { BulkMonitorsService } from '../../operations/bulk-monitors.service.js';
import { OperationsService } from '../../operations/operations.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { bulkBody, returnPath, shownQuery } from './bulk-form.js';
import { renderBulkDelete, renderBulkRefused, renderNoneMatch } from './bulk.view.js';
import { renderOperation } from './operation.view.js';

const FAILURES_SHOWN = 100;

/** Acts on the selected monitors of the list, and shows what came of it. */
@Pages()
export class OperationsPageController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly bulk: BulkMonitorsService,
    private readonly operations: OperationsService,
  ) {}

  /** Starts the chosen action and returns to the list. Deleting asks first. */
  @Post('monitors/bulk')
  @RequireRole('editor')
  async start(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const body = bulkBody(form);
    if (body.action === 'delete') {
      const question = await this.deletionQuestion(frame, who, form);
      if (question) return question;
    }
    const { value, refusal } = await attempt(() => this.bulk.start(who.teamId, authorOf(who), body, KEEPS_NOTHING));
    if (refusal) return new Html(renderBulkRefused(frame, form, refusal), refusal.getStatus(), refusal.headers);
    const { id } = 'started' in value ? value.started : value.completed;
    return new SeeOther(returnPath(form, id));
  }

  /** Returns the page that asks before monitors are deleted; null if the form confirms as many as are selected now. */
  private async deletionQuestion(frame: PageFrame, { teamId }: SignedIn, form: FormFields): Promise<Html | null> {
    const isAll = form.has('all');
    const count = isAll ? await this.monitors.count(teamId, shownQuery(form)) : form.texts('id').length;
    if (count === 0) return isAll ? new Html(renderNoneMatch(frame, form), HttpStatus.UNPROCESSABLE_ENTITY) : null;
    const isConfirmed = form.has('confirmed');
    if (isConfirmed && form.text('confirmed') === String(count)) return null;
    return new Html(renderBulkDelete(frame, form, count), isConfirmed ? HttpStatus.CONFLICT : HttpStatus.OK);
  }

  @Get('operations/:id')
  @RequireRole('viewer')
  async show(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const [operation, failures] = await Promise.all([
      this.operations.get(teamId, id),
      this.operations.results(teamId, id, { status: 'failed', limit: FAILURES_SHOWN }),
    ]);
    return new Html(renderOperation(frame, operation, failures.data));
  }
}
