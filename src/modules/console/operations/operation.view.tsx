import { counted } from '../../../html/counted.js';
import { type OperationDto, type OperationResultDto } from '../../operations/dto/operation.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Table } from '../html/table.js';
import { Time } from '../html/time.js';
import { OVERVIEW_SCRIPT } from '../monitors/assets.js';
import { LIST_PATH } from '../monitors/list-query.js';
import { type PageFrame } from '../page-frame.js';
import { operationTitle, progressWords } from './operation-words.js';

/** Renders how far an operation is, and which monitors it failed for. The script updates the page until it is finished. */
export function renderOperation(
  frame: PageFrame,
  operation: OperationDto,
  failures: readonly OperationResultDto[],
): string {
  const { id, total, done, failed, status, createdAt, finishedAt } = operation;
  return page(frame, {
    title: `${operationTitle(operation)}: ${counted(total.toLocaleString('en'), 'monitor')}`,
    section: 'Monitors',
    trail: [{ label: 'Monitors', href: LIST_PATH }],
    scripts: [OVERVIEW_SCRIPT],
    children: (
      <>
        <div class="card" data-swap="operation" data-refresh={status === 'finished' ? undefined : 'soon'}>
          <p role="status">{progressWords(operation)}</p>
          <progress class="progress" max={Math.max(1, total)} value={done} aria-label="Progress" />
          <p class="quiet">
            Started <Time at={createdAt} />
            {finishedAt !== null && (
              <>
                , finished <Time at={finishedAt} />
              </>
            )}
          </p>
        </div>
        <div data-swap="failures">
          {failures.length > 0 && (
            <Table
              caption="Failures"
              columns={['Monitor', 'Reason']}
              rows={failures.map(({ monitorId, name, address, error }) => ({
                key: monitorId ?? address ?? '',
                cells: [
                  monitorId === null ? (
                    <span dir="auto">{address}</span>
                  ) : (
                    <a href={`/monitors/${monitorId}`} dir="auto">
                      {name}
                    </a>
                  ),
                  [error?.detail, ...(error?.errors ?? []).map(({ detail }) => detail)].filter(Boolean).join(' '),
                ],
              }))}
            />
          )}
          {failed > failures.length && (
            <p class="quiet">
              Showing the first {failures.length} of {failed.toLocaleString('en')} failures. The API returns all of
              them.
            </p>
          )}
        </div>
        <WithCurl id="operation-curl" command={curlLine('GET', `${frame.origin}/v1/operations/${id}/results`)} />
      </>
    ),
  });
}
