import { includesRole } from '../../../domain/role.js';
import { PAGE_STATES } from '../../../html/status-words.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { Icon } from '../html/icon.js';
import { page } from '../html/layout.js';
import { MenuLink, MoreMenu } from '../html/menu.js';
import { State } from '../html/state.js';
import { Empty, Table } from '../html/table.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { componentsWords, visibilityOf } from './page-words.js';

export const STATUS_PAGES_PATH = '/status-pages';
/** Files of `src/web` that the pages of this section need. */
export const PAGE_STYLES = ['status-pages.css'];

const DONE: Readonly<Record<string, string>> = { deleted: 'Status page deleted. Its monitors are kept.' };

export interface StatusPagesProps {
  pages: readonly StatusPageDto[];
  nextCursor: string | null;
}

/** Renders the list of status pages. */
export function renderStatusPages(frame: PageFrame, { pages, nextCursor }: StatusPagesProps): string {
  const mayWrite = includesRole(frame.who!.role, 'editor');
  const columns = ['Status page', 'State', 'Visibility', 'URL', ...(mayWrite ? ['Actions'] : [])];
  return page(frame, {
    title: 'Status pages',
    section: 'Status pages',
    styles: PAGE_STYLES,
    done: DONE[frame.done],
    action: mayWrite ? { label: 'Create status page', href: `${STATUS_PAGES_PATH}/new` } : undefined,
    children: (
      <>
        {pages.length === 0 ? (
          <Empty>
            A status page shows visitors the state and history of the monitors that you select, and nothing else.{' '}
            {mayWrite ? 'Create the first one above.' : 'An editor or owner can create one.'}
          </Empty>
        ) : (
          <div class="page-list">
            <Table
              caption="Status pages"
              columns={columns}
              rows={pages.map((one) => ({ key: one.id, cells: cellsOf(one, mayWrite) }))}
            />
          </div>
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

function cellsOf(one: StatusPageDto, mayWrite: boolean) {
  const { id, name, slug, status, published } = one;
  const { mark, word } = PAGE_STATES[status];
  return [
    <>
      <a href={`${STATUS_PAGES_PATH}/${id}`} dir="auto">
        {name}
      </a>
      <span class="quiet page-about">{componentsWords(one)}</span>
    </>,
    <State mark={mark} word={word} />,
    <State {...visibilityOf(one)} />,
    published ? <PublicLink slug={slug} /> : <span class="quiet">/status/{slug}</span>,
    ...(mayWrite ? [<RowMenu one={one} />] : []),
  ];
}

/** The address of a published page, as its readers open it. */
export function PublicLink({ slug, text = `/status/${slug}` }: { slug: string; text?: string }) {
  return (
    <a href={`/status/${slug}`} class="public-link">
      {text}
      <Icon name="external-link" />
    </a>
  );
}

function RowMenu({ one: { id, name } }: { one: StatusPageDto }) {
  const path = `${STATUS_PAGES_PATH}/${id}`;
  return (
    <MoreMenu about={name}>
      <MenuLink href={`${path}/edit`} icon="pencil" label="Edit" about={name} />
      <MenuLink href={`${path}/preview`} icon="external-link" label="Preview" about={name} />
      <hr />
      <MenuLink href={`${path}/delete`} icon="trash" label="Delete" about={name} isDanger />
    </MoreMenu>
  );
}

/** Renders the published pages of the team as their readers know them: by name, state and address. */
export function renderPublishedPages(frame: PageFrame, { pages, nextCursor }: StatusPagesProps): string {
  return page(frame, {
    title: 'Published status pages',
    section: 'Status pages',
    trail: [{ label: 'Status pages', href: STATUS_PAGES_PATH }],
    styles: PAGE_STYLES,
    children: (
      <>
        {pages.length === 0 ? (
          <Empty>
            This team has no published status pages. <a href={STATUS_PAGES_PATH}>All status pages</a>
          </Empty>
        ) : (
          <ul class="page-cards-list">
            {pages.map((one) => (
              <li key={one.id} class="card">
                <h2 dir="auto">{one.name}</h2>
                <State {...PAGE_STATES[one.status]} />
                <PublicLink slug={one.slug} />
                {one.accessType === 'password' && <span class="quiet">{visibilityOf(one).word}</span>}
              </li>
            ))}
          </ul>
        )}
        {nextCursor !== null && (
          <p>
            <a href={withQuery('/status', { cursor: nextCursor })}>Older pages</a>
          </p>
        )}
      </>
    ),
  });
}
