import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiResponse } from '@nestjs/swagger';
import { CREATED_HEADERS, ITEM_HEADERS, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { ref } from '../../http/openapi/type-schemas.js';
import { CHANNEL_CLASSES, CHANNEL_EXAMPLES, PARTS } from './channel-schemas.js';
import { ChannelHealthDto } from './dto/notification-channel.dto.js';

const MODELS = ApiExtraModels(...PARTS, ChannelHealthDto, ...CHANNEL_CLASSES);

export const ApiChannel = (status: 200 | 201) =>
  applyDecorators(
    MODELS,
    ApiResponse({
      status,
      description: 'The notification channel.',
      headers: status === 201 ? CREATED_HEADERS : ITEM_HEADERS,
      content: { 'application/json': { schema: ref('NotificationChannel') } },
    }),
  );

export const ApiChannelPage = () =>
  ApiResponse({
    status: 200,
    description: 'A page of notification channels.',
    headers: PAGE_HEADERS,
    content: { 'application/json': { schema: ref('NotificationChannelPage') } },
  });

export const ApiChannelBody = () =>
  ApiBody({
    required: true,
    description: 'The channel. `settings` depends on `type`.',
    schema: ref('NotificationChannelCreate'),
    examples: CHANNEL_EXAMPLES,
  });

export const ApiChannelReplacement = () =>
  ApiBody({
    required: true,
    description:
      'The whole channel. Omitted fields take their defaults. Stored secrets that are masked or omitted are retained, ' +
      'and so are the fields that a rotation set. Null removes them; a secret that the service generates is then ' +
      'generated again.',
    schema: ref('NotificationChannelReplacement'),
    // Only the type of the channel at the example address.
    examples: { webhook: CHANNEL_EXAMPLES.webhook! },
  });

export const ApiChannelPatch = () =>
  applyDecorators(
    ApiBody({
      required: true,
      description: 'A merge patch of the writable fields. Null clears a field or restores its default.',
      schema: ref('NotificationChannelPatch'),
      examples: {
        disable: { summary: 'Disable the channel.', value: { enabled: false } },
        header: { summary: 'Add a header.', value: { settings: { headers: { 'X-Team': 'payments' } } } },
      },
    }),
    ApiConsumes('application/json', 'application/merge-patch+json'),
  );
