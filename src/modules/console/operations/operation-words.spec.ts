import { expect, it } from '@jest/globals';
import { type OperationDto } from '../../operations/dto/operation.dto.js';
import { progressWords } from './operation-words.js';

it.each<[string, Partial<OperationDto>]>([
  ['12 monitors paused.', { action: 'pause', status: 'finished', total: 12, done: 12 }],
  ['1 monitor deleted, 1 failed.', { action: 'delete', status: 'finished', total: 2, done: 2, failed: 1 }],
  ['0 monitors resumed, 25 unchanged.', { action: 'resume', status: 'finished', total: 25, done: 25, unchanged: 25 }],
  [
    '1 monitor updated, 2 unchanged, 1 failed.',
    { action: 'removeTags', status: 'finished', total: 4, done: 4, unchanged: 2, failed: 1 },
  ],
  ['No monitors were selected.', { action: 'check', status: 'finished', total: 0 }],
  ['Check now: 500 of 2,000 monitors done, 1,200 failed.', { action: 'check', total: 2_000, done: 500, failed: 1_200 }],
  ['Resume: 0 of 1 monitor done.', { action: 'resume', status: 'queued', total: 1 }],
])('says "%s" of %j', (words, operation) => {
  const all = { status: 'running', total: 0, done: 0, unchanged: 0, failed: 0, ...operation } as OperationDto;
  expect(progressWords(all)).toBe(words);
});
