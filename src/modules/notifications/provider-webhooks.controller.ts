import { Controller, Headers, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { isSignedByPagerduty, pagerdutyActionOf } from '../../channels/webhook/pagerduty-webhook.js';
import { Public } from '../../http/auth/access.decorators.js';
import { assertJson, parseJson, readBytes } from '../../http/body/body-reader.js';
import { type EdgeRequest } from '../../http/edge-request.js';
import { ApiPublicProblems } from '../../http/openapi/openapi.js';
import { ProblemException } from '../../http/problems/problem.js';
import { ProviderChannels } from '../notification-channels/provider-channels.service.js';
import { PagerdutyWebhookDto } from './dto/pagerduty-webhook.dto.js';
import { ProviderAcknowledgements } from './provider-acknowledgements.service.js';

const MAX_BYTES = 256 * 1_024;
const EXAMPLE: PagerdutyWebhookDto = {
  event: {
    event_type: 'incident.acknowledged',
    occurred_at: '2026-11-25T10:00:00Z',
    agent: { summary: 'Jane Doe' },
    data: { incident_key: '0198c9a4-c5e3-7f21-9a0b-1c2d3e4f5061/1' },
  },
};

/** Webhooks by which providers of channels report what people do there. Their signature is the credential. */
@ApiTags('Notification channels')
@Public()
@Controller('provider-webhooks')
export class ProviderWebhooksController {
  constructor(
    private readonly channels: ProviderChannels,
    private readonly acknowledgements: ProviderAcknowledgements,
  ) {}

  /**
   * Receives webhooks of PagerDuty (version 3) for a channel with a `webhookSecret`. Acknowledging an incident in
   * PagerDuty acknowledges the incident here for an hour, and withdrawing it there withdraws it here. Other events are
   * accepted without effect, and so are events about incidents that were not sent through this channel, and events
   * older than the latest acknowledgement or withdrawal.
   */
  @Post('pagerduty/:channelId')
  @HttpCode(204)
  @ApiParam({
    name: 'channelId',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-b4d2-7e10-8f9a-0b1c2d3e4f50' },
    description: 'The id of the channel.',
  })
  @ApiHeader({
    name: 'X-PagerDuty-Signature',
    required: true,
    description:
      '`v1=` followed by the hexadecimal HMAC-SHA256 of the body. Multiple signatures are separated by commas.',
    schema: { type: 'string' },
    example: `v1=${'0123456789abcdef'.repeat(4)}`,
  })
  @ApiBody({ type: PagerdutyWebhookDto, examples: { acknowledged: { summary: 'Acknowledged', value: EXAMPLE } } })
  @ApiResponse({ status: 204, description: 'Received.' })
  @ApiPublicProblems(
    ...(['unauthenticated', 'invalid_request', 'invalid_json', 'json_too_deep'] as const),
    ...(['payload_too_large', 'unsupported_media_type'] as const),
  )
  async receivePagerduty(
    @Param('channelId') channelId: string,
    @Headers('x-pagerduty-signature') signature: string | undefined,
    @Req() request: EdgeRequest,
  ): Promise<void> {
    const bytes = await readBytes(request, MAX_BYTES, () => assertJson(request));
    const channel = await this.channels.find('pagerduty', channelId);
    const isSigned = channel !== null && isSignedByPagerduty(channel.webhookSecret, bytes, signature ?? '');
    // Unknown channels and those without a secret must not differ from a wrong signature.
    if (!isSigned) {
      throw new ProblemException(401, 'unauthenticated', 'The channel does not exist, or the signature is wrong.', {
        headers: { 'WWW-Authenticate': 'PagerDuty-Signature' },
      });
    }
    const action = pagerdutyActionOf(parseJson(bytes));
    if (action) await this.acknowledgements.apply(channel, action);
  }
}
