import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { IfMatch } from '../../http/items/if-match.decorator.js';
import {
  ApiConditionalGet,
  ApiProblems,
  BODY_PROBLEMS,
  CREATED_HEADERS,
  ITEM_HEADERS,
  PAGE_HEADERS,
} from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentPrincipal, CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Located } from '../../http/items/representation.js';
import { type Caller } from './api-key-credential.js';
import { ApiKeyRotationService } from './api-key-rotation.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDto, ApiKeyPageDto, ApiKeyWithSecretDto } from './dto/api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import { ListApiKeysDto } from './dto/list-api-keys.dto.js';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { UpdateApiKeyDto } from './dto/update-api-key.dto.js';

/** What changes with a key's secret; both routes of a rotation say it. */
const ROTATION = `The id stays; the answer holds the new secret, this once. The old secret is accepted for \`overlapSeconds\` more,
but never beyond the key's expiry, and then refused everywhere within a second. One old secret is kept: a rotation while an
overlap runs replaces it, and the one before is refused at once. Where the old secret itself asks again, because the answer
was lost, it stays accepted until \`previousExpiresAt\` at most, and the secret of the lost answer is refused. For that use another
\`Idempotency-Key\`: what is answered again by the same one has \`secret\` null.`;

const NO_STORE = { 'Cache-Control': { schema: { type: 'string' as const, enum: ['no-store'] } } };

const ApiKeyId = () =>
  ApiParam({
    name: 'id',
    description: 'The id of the key.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55' },
  });

const ApiRotationBody = () =>
  ApiBody({
    type: RotateApiKeyDto,
    required: false,
    examples: { overlap: { summary: 'Time to hand out the new secret.', value: { overlapSeconds: 3_600 } } },
  });

@ApiTags('API keys')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly rotations: ApiKeyRotationService,
  ) {}

  /** The keys of the team, the newest first. */
  @Get()
  @RequireScope('admin')
  @ApiOkResponse({
    type: ApiKeyPageDto,
    description: 'A page of keys.',
    headers: PAGE_HEADERS,
  })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() teamId: TeamId, @Query() query: ListApiKeysDto): Promise<Page<ApiKeyDto>> {
    return this.keys.list(teamId, query);
  }

  /**
   * Make a key. The answer holds its secret, this once: where a repetition by `Idempotency-Key` is answered again, it is
   * null. No key makes one whose scopes or expiry exceed its own.
   */
  @Post()
  @RequireScope('admin')
  @Located('/v1/api-keys/{id}')
  @Header('Cache-Control', 'no-store')
  @ApiBody({
    type: CreateApiKeyDto,
    examples: { pipeline: { summary: 'For a pipeline.', value: { name: 'GitHub Actions', scopes: ['write'] } } },
  })
  @ApiCreatedResponse({
    type: ApiKeyWithSecretDto,
    description: 'The key with its secret.',
    headers: { ...CREATED_HEADERS, ...NO_STORE },
  })
  @ApiProblems('forbidden', ...BODY_PROBLEMS, 'limit_reached')
  create(
    @CurrentTeam() teamId: TeamId,
    @CurrentPrincipal() caller: Caller,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<ApiKeyWithSecretDto> {
    return this.keys.create(teamId, caller, body, keep);
  }

  /** The key that makes this request, whatever its scopes. */
  @Get('self')
  @RequireScope('read')
  @ApiConditionalGet()
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key.', headers: ITEM_HEADERS })
  @ApiProblems()
  self(@CurrentPrincipal() { teamId, keyId }: Caller): Promise<ApiKeyDto> {
    return this.keys.get(teamId, keyId);
  }

  @Post('self/rotate')
  @HttpCode(200)
  @RequireScope('write')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Give the key that makes this request a new secret.',
    description: `${ROTATION} A pipeline renews its own key so; it needs the scope \`write\`.`,
  })
  @ApiRotationBody()
  @ApiOkResponse({
    type: ApiKeyWithSecretDto,
    description: 'The key with its new secret.',
    headers: { ...ITEM_HEADERS, ...NO_STORE },
  })
  @ApiProblems(...BODY_PROBLEMS)
  rotateSelf(
    @CurrentTeam() teamId: TeamId,
    @CurrentPrincipal() caller: Caller,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<ApiKeyWithSecretDto> {
    return this.rotations.rotate(teamId, caller, caller.keyId, body, { ifMatch, keep });
  }

  /** One key, a revoked one too. */
  @Get(':id')
  @RequireScope('admin')
  @ApiKeyId()
  @ApiConditionalGet()
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key.', headers: ITEM_HEADERS })
  @ApiProblems('not_found')
  get(@CurrentTeam() teamId: TeamId, @Param('id') id: string): Promise<ApiKeyDto> {
    return this.keys.get(teamId, id);
  }

  @Patch(':id')
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Change name, scopes or expiry of a key that is not revoked, by a JSON merge patch.',
    description: `409 \`last_admin_key\` where the team would be left without an admin key: by taking \`admin\` from the last one,
or by an expiry of an admin key that no other one outlives. A later expiry is always fine.`,
  })
  @ApiKeyId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({
    type: UpdateApiKeyDto,
    examples: { lessScope: { summary: 'Let it read alone.', value: { name: 'Dashboard', scopes: ['read'] } } },
  })
  @ApiOkResponse({ type: ApiKeyDto, description: 'The key.', headers: ITEM_HEADERS })
  @ApiProblems('not_found', 'forbidden', 'last_admin_key', ...BODY_PROBLEMS)
  update(
    @CurrentTeam() teamId: TeamId,
    @CurrentPrincipal() caller: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
  ): Promise<ApiKeyDto> {
    return this.keys.update(teamId, caller, id, body, ifMatch);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @RequireScope('admin')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Give a key a new secret.',
    description: `${ROTATION} No key rotates one whose scopes or expiry exceed its own. A revoked key is 404; an expired one is
409 \`key_expired\`: its new secret would be refused as well.`,
  })
  @ApiKeyId()
  @ApiRotationBody()
  @ApiOkResponse({
    type: ApiKeyWithSecretDto,
    description: 'The key with its new secret.',
    headers: { ...ITEM_HEADERS, ...NO_STORE },
  })
  @ApiProblems('not_found', 'forbidden', 'key_expired', ...BODY_PROBLEMS)
  rotate(
    @CurrentTeam() teamId: TeamId,
    @CurrentPrincipal() caller: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<ApiKeyWithSecretDto> {
    return this.rotations.rotate(teamId, caller, id, body, { ifMatch, keep });
  }

  /** Revoke a key: it is refused everywhere within a second. The last admin key of a team cannot be revoked. */
  @Delete(':id')
  @RequireScope('admin')
  @HttpCode(204)
  @ApiKeyId()
  @ApiNoContentResponse({ description: 'Revoked.' })
  @ApiProblems('not_found', 'last_admin_key')
  revoke(@CurrentTeam() teamId: TeamId, @Param('id') id: string, @IfMatch() ifMatch: IfMatch): Promise<void> {
    return this.keys.revoke(teamId, id, { ifMatch });
  }
}
