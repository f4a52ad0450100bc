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
  NO_STORE,
  PAGE_HEADERS,
} from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentPrincipal, CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Located } from '../../http/items/representation.js';
import { ApiKeyRotationService } from './api-key-rotation.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDto, ApiKeyPageDto, ApiKeyWithSecretDto } from './dto/api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import { ListApiKeysDto } from './dto/list-api-keys.dto.js';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { UpdateApiKeyDto } from './dto/update-api-key.dto.js';
import { type Caller } from './key-writer.types.js';

/** Part of the description of both rotation operations. */
const ROTATION = `The id does not change. The response contains the new secret, which is not shown again. The old secret
is accepted for another \`overlapSeconds\`, but never beyond the expiry of the key, and then rejected everywhere within
a second. Only one old secret is retained: rotating again during an overlap invalidates the older one immediately. If
the response was lost, repeat the request with the old secret: it remains accepted until \`previousExpiresAt\` at most,
and the secret in the lost response is rejected. Use a new \`Idempotency-Key\` for this, because a replayed response has
\`secret\` null.`;

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
    examples: { overlap: { summary: 'One hour to distribute the new secret.', value: { overlapSeconds: 3_600 } } },
  });

@ApiTags('API keys')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly rotations: ApiKeyRotationService,
  ) {}

  /** Lists the API keys of the team, newest first. */
  @Get()
  @RequireScope('admin')
  @ApiOkResponse({
    type: ApiKeyPageDto,
    description: 'A page of API keys.',
    headers: PAGE_HEADERS,
  })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() teamId: TeamId, @Query() query: ListApiKeysDto): Promise<Page<ApiKeyDto>> {
    return this.keys.list(teamId, query);
  }

  /**
   * Creates an API key. The response contains its secret, which is not shown again: a response replayed for an
   * `Idempotency-Key` has `secret` null. Scopes and expiry of the new key cannot exceed those of the calling key.
   */
  @Post()
  @RequireScope('admin')
  @Located('/v1/api-keys/{id}')
  @Header('Cache-Control', 'no-store')
  @ApiBody({
    type: CreateApiKeyDto,
    examples: { pipeline: { summary: 'A key for a pipeline.', value: { name: 'GitHub Actions', scopes: ['write'] } } },
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

  /** Gets the calling API key, regardless of its scopes. */
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
    summary: 'Rotates the secret of the calling API key.',
    description: `${ROTATION} A pipeline can rotate its own key this way; the key needs the scope \`write\`.`,
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

  /** Gets an API key, including a revoked one. */
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
    summary: 'Updates the name, scopes or expiry of an API key with a JSON merge patch (RFC 7396).',
    description: `A revoked key cannot be changed (404). Returns 409 \`last_admin_key\` if the team would be left
without an admin key: if you remove \`admin\` from the last one, or set an expiry on an admin key that no other admin
key outlasts. Extending an expiry never causes this error.`,
  })
  @ApiKeyId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({
    type: UpdateApiKeyDto,
    examples: { lessScope: { summary: 'Read access only.', value: { name: 'Dashboard', scopes: ['read'] } } },
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
    summary: 'Rotates the secret of an API key.',
    description: `${ROTATION} Scopes and expiry of the key cannot exceed those of the calling key. Returns 404 for
a revoked key, and 409 \`key_expired\` for an expired one, because its new secret would be rejected, too.`,
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

  /** Revokes an API key. It is rejected everywhere within a second. The last admin key of a team cannot be revoked. */
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
