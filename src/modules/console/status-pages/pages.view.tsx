import { includesRole } from '../../../domain/role.js';
import { PAGE_STATES } from '../../../html/status-words.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { State } from '../html/state.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';

export const STATUS_PAGES_PATH = '/status-pages';

const DONE: Readonly<Record<string, string>> = { deleted: 'Status page deleted. Its monitors are kept.' };

export interface StatusPagesProps {
  pages: readonly StatusPageDto[];
  nextCursor: string | null;
}

/** Renders the list of status pages. */
export function renderStatusPages(frame: PageFrame, { pages, nextCursor }: StatusPagesProps): string {
  const mayWrite = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: 'Status pages',
    section: 'Status pages',
    done: DONE[frame.done],
    action: mayWrite ? { label: 'Create status page', href: `${STATUS_PAGES_PATH}/new` } : undefined,
    children: (
      <>
        <p class="lead">Show others the state and the history of the monitors that you select, and nothing else.</p>
        {pages.length === 0 ? (
          <Empty>
            No status pages yet. {mayWrite ? 'Create the first one above.' : 'An editor or owner can create one.'}
          </Empty>
        ) : (
          <Table
            caption="Status pages"
            columns={['Page', 'State', 'Published', 'Components', 'Address']}
            rows={pages.map((one) => ({ key: one.id, cells: cellsOf(one) }))}
          />
        )}
        {nextCursor !== null && (
          <p>
            <a href={withQuery(STATUS_PAGES_PATH, { cursor: nextCursor })}>Older pages</a>
          </p>
        )}
        <WithCurl id="pages-curl" command={curlLine('GET', `${frame.origin}/v1/status-pages`)} />
      </>
    ),
  });
}

function cellsOf({ id, name, slug, status, published, accessType, components }: StatusPageDto) {
  const { mark, word } = PAGE_STATES[status];
  return [
    <a href={`${STATUS_PAGES_PATH}/${id}`} dir="auto">
      {name}
    </a>,
    <State mark={mark} word={word} />,
    <Published published={published} accessType={accessType} />,
    components.length,
    published ? <a href={`/status/${slug}`}>/status/{slug}</a> : <span class="quiet">/status/{slug}</span>,
  ];
}

/** Whether others can see a page, as a mark and a word. */
export function Published({ published, accessType }: Pick<StatusPageDto, 'published' | 'accessType'>) {
  return (
    <State
      mark={published ? 'up' : 'paused'}
      word={published ? `Published${accessType === 'password' ? ', with a password' : ''}` : 'Not published'}
    />
  );
}
