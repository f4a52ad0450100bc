import { Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { ApiKeyRotationService } from '../../api-keys/api-key-rotation.service.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { UsersService } from '../../users/users.service.js';
import { attempt } from '../attempt.js';
import { peopleAmong } from '../author-words.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { API_KEYS_PATH, KEY_DEFAULTS, KEY_FORM, keyBody, ROTATE_FORM, rotationBody, sentKeyForm } from './key-form.js';
import { renderRevokeKey, renderRotateKey, renderSecret } from './api-key.view.js';
import { renderApiKeys } from './api-keys.view.js';

const PAGE_SIZE = 50;

/** The page "API keys" of section "Settings", where people create and manage the keys of programs. */
@Pages(API_KEYS_PATH.slice(1))
export class ApiKeysPageController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly rotations: ApiKeyRotationService,
    private readonly users: UsersService,
  ) {}

  @Get()
  @RequireRole('viewer')
  list(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Query('revoked') revoked: unknown,
    @Query('cursor') cursor: unknown,
  ): Promise<PageAnswer> {
    const place = { revoked: revoked === 'true', ...(typeof cursor === 'string' && { cursor }) };
    return this.shown(frame, who, FormState.blank(KEY_FORM, KEY_DEFAULTS), place);
  }

  @Post()
  @RequireRole('editor')
  async create(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { value: key, refusal } = await attempt(() => this.keys.create(who.teamId, who, keyBody(form, frame.nowMs)));
    if (refusal) return this.shown(frame, who, FormState.refused(sentKeyForm(form), form, refusal));
    return new Html(renderSecret(frame, { key, title: 'API key created' }));
  }

  @Get(':id/rotate')
  @RequireRole('editor')
  async askRotation(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const key = await this.keys.get(who.teamId, id);
    return new Html(renderRotateKey(frame, key, FormState.blank(ROTATE_FORM, { overlapSeconds: '3600' })));
  }

  @Post(':id/rotate')
  @RequireRole('editor')
  async rotate(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { value, refusal } = await attempt(() => this.rotations.rotate(who.teamId, who, id, rotationBody(form)));
    if (!refusal) return new Html(renderSecret(frame, { key: value, title: 'API key rotated' }));
    const state = FormState.refused(ROTATE_FORM, form, refusal);
    const key = await this.keys.get(who.teamId, id);
    return Html.around(state, renderRotateKey(frame, key, state));
  }

  @Get(':id/revoke')
  @RequireRole('editor')
  async askRevocation(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderRevokeKey(frame, await this.keys.get(who.teamId, id)));
  }

  @Post(':id/revoke')
  @RequireRole('editor')
  async revoke(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { refusal } = await attempt(() => this.keys.revoke(who.teamId, id, { by: who }));
    if (!refusal) return new SeeOther(done(API_KEYS_PATH, 'revoked'));
    const state = FormState.refused(KEY_FORM, form, refusal);
    const key = await this.keys.get(who.teamId, id);
    return Html.around(state, renderRevokeKey(frame, key, state));
  }

  private async shown(
    frame: PageFrame,
    who: SignedIn,
    form: FormState,
    place: { revoked: boolean; cursor?: string } = { revoked: false },
  ): Promise<Html> {
    const { data, nextCursor } = await this.keys.list(who.teamId, { ...place, limit: PAGE_SIZE });
    const people = await this.users.byId(peopleAmong(data.map(({ createdBy }) => createdBy)));
    const html = renderApiKeys(frame, { keys: data, nextCursor, people, revoked: place.revoked, form });
    return Html.around(form, html);
  }
}
