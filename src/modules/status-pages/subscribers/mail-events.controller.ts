import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiHeader, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { isSigned } from '../../../channels/webhook/signature.js';
import { AppConfig } from '../../../config/app-config.js';
import { groupBy } from '../../../domain/group-by.js';
import { Public } from '../../../http/auth/access.decorators.js';
import { assertJson, parseJson, readBytes } from '../../../http/body/body-reader.js';
import { type EdgeRequest } from '../../../http/edge-request.js';
import { ApiPublicProblems } from '../../../http/openapi/openapi.js';
import { notFound, ProblemException } from '../../../http/problems/problem.js';
import { MailEventDto } from './dto/mail-event.dto.js';
import { MAX_MAIL_EVENTS, reportsOf } from './mail-events.js';
import { Quarantine } from './quarantine.service.js';

const MAX_BYTES = 256 * 1_024;
const HEADERS = [
  [
    'webhook-id',
    'The id of the message. A message that was received before has no effect.',
    'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  ],
  [
    'webhook-timestamp',
    'Unix time at which the message was sent, in seconds. It must be within five minutes of the current time.',
    '1795680000',
  ],
  [
    'webhook-signature',
    '`v1,` followed by the HMAC-SHA256, in Base64, of `<webhook-id>.<webhook-timestamp>.<body>`. The key is the Base64-decoded part of `MAIL_EVENTS_SECRET` after `whsec_`. Multiple signatures are separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const;
const EVENT = getSchemaPath(MailEventDto);
const BOUNCE = { email: 'jo@example.com', permanent: true, reason: '550 5.1.1 No such user here' };

/** The webhook by which the operator's mail provider reports bounces and complaints. Its signature is the credential. */
@ApiTags('Subscribers')
@Public()
@Controller('webhooks/mail-events')
export class MailEventsController {
  constructor(
    private readonly quarantine: Quarantine,
    private readonly config: AppConfig,
  ) {}

  /**
   * Receives reports of bounces and complaints. They concern mail to subscribers, and are signed per Standard Webhooks
   * with `MAIL_EVENTS_SECRET`. Returns 404 without that setting. The body is one event, or an array of at most 500. A
   * permanent bounce, a complaint, and the fifth temporary bounce quarantine the address: it receives no updates from any
   * status page. At most one temporary bounce counts per day, and the count is reset after 30 days without one.
   */
  @Post()
  @HttpCode(204)
  @ApiHeaders()
  @ApiExtraModels(MailEventDto)
  @ApiBody({
    schema: { oneOf: [{ $ref: EVENT }, { type: 'array', items: { $ref: EVENT }, maxItems: MAX_MAIL_EVENTS }] },
    examples: {
      bounced: { summary: 'A permanent bounce', value: { type: 'mail.bounced', data: BOUNCE } },
      complained: {
        summary: 'Complaints from several recipients',
        value: ['jo', 'sam'].map((name) => ({ type: 'mail.complained', data: { email: `${name}@example.com` } })),
      },
    },
  })
  @ApiResponse({ status: 204, description: 'Received.' })
  @ApiPublicProblems(
    ...(['not_found', 'unauthenticated', 'invalid_request', 'invalid_json', 'json_too_deep'] as const),
    ...(['payload_too_large', 'unsupported_media_type', 'validation_failed', 'database_unavailable'] as const),
  )
  async receive(
    @Headers('webhook-id') id: string | undefined,
    @Headers('webhook-timestamp') timestamp: string | undefined,
    @Headers('webhook-signature') signature: string | undefined,
    @Req() request: EdgeRequest,
  ): Promise<void> {
    const secret = this.config.get('MAIL_EVENTS_SECRET');
    if (secret === null) throw notFound();
    const bytes = await readBytes(request, MAX_BYTES, () => assertJson(request));
    if (!isSigned(secret, bytes, { id, timestamp, signature }, Date.now())) {
      throw new ProblemException(401, 'unauthenticated', 'The signature is missing, wrong or too old.', {
        headers: { 'WWW-Authenticate': 'Webhook-Signature' },
      });
    }
    // Addresses one after the other, each in a transaction of its own: a repeated request completes what an error
    // interrupted.
    const byAddress = groupBy(reportsOf(parseJson(bytes)), ({ email }) => email);
    for (const [email, found] of byAddress) {
      const reports = found.map(({ report }) => report);
      await this.quarantine.take(email, reports, id!);
    }
  }
}

function ApiHeaders(): MethodDecorator {
  return (...target) => {
    for (const [name, description, example] of HEADERS) {
      ApiHeader({ name, description, example, required: true, schema: { type: 'string' } })(...target);
    }
  };
}
