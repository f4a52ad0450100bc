import { applyDecorators } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse } from '@nestjs/swagger';
import { BulkMonitorsDto } from './dto/bulk-monitors.dto.js';
import { CompletedOperationDto, OperationDto } from './dto/operation.dto.js';

export const ApiBulkBody = () =>
  ApiBody({
    type: BulkMonitorsDto,
    required: true,
    examples: {
      pauseTag: {
        summary: 'Pause all monitors with a tag for ten minutes.',
        value: { action: 'pause', select: { tags: ['payments'] }, durationSeconds: 600, reason: 'Deploying 2.4.0' },
      },
      resumeTag: {
        summary: 'Resume all monitors with a tag.',
        value: { action: 'resume', select: { tags: ['payments'] } },
      },
      checkDown: {
        summary: 'Check all monitors that are down.',
        value: { action: 'check', select: { filter: { status: ['down'] } } },
      },
      addTags: {
        summary: 'Add a tag to listed monitors.',
        value: { action: 'addTags', select: { ids: ['key:checkout-api'] }, tags: ['critical'] },
      },
      removeTags: {
        summary: 'Remove a tag from all monitors.',
        value: { action: 'removeTags', select: { all: true }, tags: ['critical'] },
      },
      patch: {
        summary: 'Check all HTTP monitors of production every 30 seconds.',
        value: {
          action: 'patch',
          select: { filter: { type: 'http', tag: ['production'] } },
          patch: { intervalSeconds: 30 },
        },
      },
      delete: {
        summary: 'Delete the monitors of preview environments.',
        value: { action: 'delete', select: { filter: { q: 'preview', tag: ['preview'] } } },
      },
    },
  });

export const ApiBulkResponses = () =>
  applyDecorators(
    ApiOkResponse({
      type: CompletedOperationDto,
      description: 'The action has finished. `results` has one entry per selected monitor, at most 200.',
    }),
    ApiAcceptedResponse({
      type: OperationDto,
      description:
        'The action continues in the background: more than 200 monitors are selected, or they take longer than 20 ' +
        'seconds. The operation is at `Location`.',
      headers: { Location: { description: 'URL of the operation.', schema: { type: 'string' } } },
    }),
  );
