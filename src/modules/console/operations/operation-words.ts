import { type OperationDto } from '../../operations/dto/operation.dto.js';

/** What an operation does, in progress and done; `one` and `many` follow. */
const ACTIONS: Readonly<Record<OperationDto['action'], { title: string; done: string }>> = {
  pause: { title: 'Pause', done: 'paused' },
  resume: { title: 'Resume', done: 'resumed' },
  check: { title: 'Check now', done: 'queued for a check' },
  addTags: { title: 'Add tags', done: 'tagged' },
  removeTags: { title: 'Remove tags', done: 'updated' },
  patch: { title: 'Edit', done: 'saved' },
  delete: { title: 'Delete', done: 'deleted' },
};

export function operationTitle({ action }: Pick<OperationDto, 'action'>): string {
  return ACTIONS[action].title;
}

/**
 * Returns how far an operation is: `12 monitors paused, 2 unchanged, 1 failed.` or `Pause: 500 of 2,000 monitors done.`
 */
export function progressWords({ action, status, total, done, unchanged, failed }: OperationDto): string {
  const failures = failed === 0 ? '' : `, ${number(failed)} failed`;
  if (status !== 'finished') return `${ACTIONS[action].title}: ${number(done)} of ${monitors(total)} done${failures}.`;
  if (total === 0) return 'No monitors were selected.';
  const others = unchanged === 0 ? '' : `, ${number(unchanged)} unchanged`;
  return `${monitors(total - unchanged - failed)} ${ACTIONS[action].done}${others}${failures}.`;
}

function monitors(count: number): string {
  return count === 1 ? '1 monitor' : `${number(count)} monitors`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}
