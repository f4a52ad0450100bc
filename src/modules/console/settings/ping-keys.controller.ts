import { Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { PingKeysService } from '../../heartbeats/ping-keys/ping-keys.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { UsersService } from '../../users/users.service.js';
import { attempt } from '../attempt.js';
import { peopleAmong } from '../author-words.js';
import { type FormShape, FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { PING_KEYS_PATH, renderDeletePingKey, renderPingKeys, renderPingSecret } from './ping-keys.view.js';

const PAGE_SIZE = 50;
const PING_KEY_FORM: FormShape = { id: 'ping-key', labels: { '/name': 'Name' } };

/** The page "Ping keys" of section "Settings", where people create and delete the keys with which jobs report. */
@Pages(PING_KEYS_PATH.slice(1))
export class PingKeysPageController {
  constructor(
    private readonly keys: PingKeysService,
    private readonly users: UsersService,
  ) {}

  @Get()
  @RequireRole('viewer')
  list(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Query('cursor') cursor: unknown,
  ): Promise<PageAnswer> {
    return this.shown(frame, who, FormState.blank(PING_KEY_FORM), typeof cursor === 'string' ? cursor : undefined);
  }

  @Post()
  @RequireRole('editor')
  async create(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const body = { name: form.text('name').trim() };
    const { value: key, refusal } = await attempt(async () => this.keys.create(who.teamId, who, body));
    if (refusal) return this.shown(frame, who, FormState.refused(PING_KEY_FORM, form, refusal));
    return new Html(renderPingSecret(frame, key));
  }

  @Get(':id/delete')
  @RequireRole('editor')
  async askDeletion(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderDeletePingKey(frame, await this.keys.get(teamId, id)));
  }

  @Post(':id/delete')
  @RequireRole('editor')
  async remove(@CurrentSession() { teamId }: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    await this.keys.remove(teamId, id);
    return new SeeOther(done(PING_KEYS_PATH, 'deleted'));
  }

  private async shown(frame: PageFrame, { teamId }: SignedIn, form: FormState, cursor?: string): Promise<Html> {
    const query = { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
    const { data: keys, nextCursor } = await this.keys.list(teamId, query);
    const people = await this.users.byId(peopleAmong(keys.map(({ createdBy }) => createdBy)));
    return Html.around(form, renderPingKeys(frame, { keys, nextCursor, people, form }));
  }
}
