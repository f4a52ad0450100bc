import { includesRole } from '../../../domain/role.js';
import { PAGE_STATES } from '../../../html/status-words.js';
import { type ComponentDto, type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { CopyBlock, WithCurl } from '../html/copy.js';
import { ActionButton } from '../html/form.js';
import { page } from '../html/layout.js';
import { Empty } from '../html/table.js';
import { State } from '../html/state.js';
import { type PageFrame } from '../page-frame.js';
import { badgeMarkdown, BADGES } from './page-words.js';
import { Published, STATUS_PAGES_PATH } from './pages.view.js';

const DONE: Readonly<Record<string, string>> = {
  made: 'Status page created. Check the preview before you publish it.',
  changed: 'Status page saved.',
  published: 'Status page published.',
  unpublished: 'Status page unpublished. Its address now returns 404.',
};

/** Renders the page on which a team manages a status page: its state, and its addresses to copy. */
export function renderStatusPageOf(frame: PageFrame, one: StatusPageDto): string {
  const { id, name, slug, status, published } = one;
  const path = `${STATUS_PAGES_PATH}/${id}`;
  const { mark, word } = PAGE_STATES[status];
  const mayWrite = includesRole(frame.who!.role, 'editor');
  const api = `${frame.origin}/v1${path}`;
  return page(frame, {
    title: name,
    section: 'Status pages',
    done: DONE[frame.done],
    children: (
      <>
        <dl class="facts">
          <dt>State</dt>
          <dd>
            <State mark={mark} word={word} />
          </dd>
          <dt>Published</dt>
          <dd>
            <Published {...one} />
          </dd>
          <dt>Address</dt>
          <dd>{published ? <a href={`/status/${slug}`}>{one.publicUrl}</a> : one.publicUrl}</dd>
        </dl>
        <div class="buttons">
          <a class="button plain" href={`${path}/preview`} target="_blank">
            Preview<span class="hidden"> (in a new tab)</span>
          </a>
          {mayWrite && <Actions frame={frame} path={path} published={published} />}
        </div>
        <WithCurl
          id="page-curl"
          command={mayWrite ? curlLine('PATCH', api, { body: { published: !published } }) : curlLine('GET', api)}
        />
        <Addresses one={one} />
        <Badges frame={frame} one={one} />
        <p>
          <a href={STATUS_PAGES_PATH}>All status pages</a>
        </p>
      </>
    ),
  });
}

function Actions({ frame, path, published }: { frame: PageFrame; path: string; published: boolean }) {
  return (
    <>
      <a class="button plain" href={`${path}/edit`}>
        Edit
      </a>
      {published ? (
        <a class="button plain" href={`${path}/unpublish`}>
          Unpublish
        </a>
      ) : (
        <ActionButton frame={frame} action={`${path}/publish`} label="Publish" />
      )}
      <a class="button plain" href={`${path}/delete`}>
        Delete
      </a>
    </>
  );
}

function Addresses({ one: { publicUrl, published } }: { one: StatusPageDto }) {
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses">Integrations</h2>
      {!published && <p class="quiet">These addresses return 404 until the page is published.</p>}
      <h3>JSON</h3>
      <CopyBlock id="address-json" label="JSON address" text={`${publicUrl}.json`} />
      <h3>Incident feed (Atom)</h3>
      <CopyBlock id="address-feed" label="feed address" text={`${publicUrl}/feed.atom`} />
    </section>
  );
}

function Badges({ frame, one }: { frame: PageFrame; one: StatusPageDto }) {
  return (
    <section aria-labelledby="badges">
      <h2 id="badges">Badges</h2>
      {one.components.length === 0 ? (
        <Empty>No components yet. Each component has badges that you can embed elsewhere.</Empty>
      ) : (
        one.components.map((component) => (
          <details key={component.id} class="more">
            <summary dir="auto">{component.name}</summary>
            <ComponentBadges frame={frame} page={one} component={component} />
          </details>
        ))
      )}
    </section>
  );
}

function ComponentBadges({
  frame,
  page: one,
  component,
}: {
  frame: PageFrame;
  page: StatusPageDto;
  component: ComponentDto;
}) {
  // A component without history shows only its current state, and so do its badges.
  const badges = component.showUptime ? BADGES : BADGES.slice(0, 1);
  return (
    <>
      {badges.map(({ file, word }) => {
        const url = `${frame.origin}/badges/${one.slug}/${component.id}/${file}`;
        const id = `badge-${component.id}-${file.replace('.svg', '')}`;
        const label = `${word} of ${component.name}`;
        return (
          <section key={file} aria-label={label} dir="auto">
            <h3>{word[0]!.toUpperCase() + word.slice(1)}</h3>
            <CopyBlock id={`${id}-url`} label={`badge address, ${label}`} text={url} />
            <CopyBlock id={id} label={`badge Markdown, ${label}`} text={badgeMarkdown(label, url, one.publicUrl)} />
          </section>
        );
      })}
    </>
  );
}

export function renderUnpublish(frame: PageFrame, one: StatusPageDto): string {
  const path = `${STATUS_PAGES_PATH}/${one.id}`;
  return renderConfirm(frame, {
    title: `Unpublish ${one.name}?`,
    section: 'Status pages',
    action: `${path}/unpublish`,
    button: 'Unpublish',
    back: path,
    curl: curlLine('PATCH', `${frame.origin}/v1/status-pages/${one.id}`, { body: { published: false } }),
    children: <p>Its address, feed and badges will return 404 until you publish it again.</p>,
  });
}

export function renderDeleteStatusPage(frame: PageFrame, one: StatusPageDto, form?: FormState): string {
  const path = `${STATUS_PAGES_PATH}/${one.id}`;
  return renderConfirm(frame, {
    title: `Delete ${one.name}?`,
    section: 'Status pages',
    action: `${path}/delete`,
    button: 'Delete status page',
    back: path,
    form,
    curl: curlLine('DELETE', `${frame.origin}/v1/status-pages/${one.id}`),
    children: <p>Its address, feed and badges will return 404. Its monitors are kept. This cannot be undone.</p>,
  });
}
