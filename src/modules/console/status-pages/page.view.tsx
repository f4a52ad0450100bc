import { counted } from '../../../html/counted.js';
import { includesRole } from '../../../domain/role.js';
import { PAGE_STATES } from '../../../html/status-words.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { CopyBlock, WithCurl } from '../html/copy.js';
import { Form } from '../html/form.js';
import { Icon } from '../html/icon.js';
import { page } from '../html/layout.js';
import { MenuLink, MoreMenu } from '../html/menu.js';
import { State } from '../html/state.js';
import { type PageFrame } from '../page-frame.js';
import { Badges } from './page-badges.js';
import { componentsWords, visibilityOf } from './page-words.js';
import { PAGE_STYLES, PublicLink, STATUS_PAGES_PATH } from './pages.view.js';

const DONE: Readonly<Record<string, string>> = {
  made: 'Status page created. Check the preview before you publish it.',
  changed: 'Status page saved.',
  published: 'Status page published.',
  unpublished: 'Status page unpublished. Its URL now returns 404.',
};

/** Renders the page on which a team manages a status page: its state, its addresses, and its badges. */
export function renderStatusPageOf(frame: PageFrame, one: StatusPageDto): string {
  const { id, name, published } = one;
  const path = `${STATUS_PAGES_PATH}/${id}`;
  const mayWrite = includesRole(frame.who!.role, 'editor');
  const api = `${frame.origin}/v1${path}`;
  return page(frame, {
    title: name,
    section: 'Status pages',
    trail: [{ label: 'Status pages', href: STATUS_PAGES_PATH }],
    styles: PAGE_STYLES,
    done: DONE[frame.done],
    tools: <Tools frame={frame} one={one} path={path} mayWrite={mayWrite} />,
    children: (
      <>
        {published && one.components.length === 0 && (
          <p class="warning">
            Visitors see no components. {mayWrite && <a href={`${path}/edit`}>Add the monitors that the page shows.</a>}
          </p>
        )}
        <Facts one={one} />
        <Integrations one={one} />
        <Badges frame={frame} page={one} />
        <WithCurl
          id="page-curl"
          command={mayWrite ? curlLine('PATCH', api, { body: { published: !published } }) : curlLine('GET', api)}
        />
      </>
    ),
  });
}

function Facts({ one }: { one: StatusPageDto }) {
  const { slug, published, publicUrl, description } = one;
  return (
    <>
      {description !== null && (
        <p class="lead" dir="auto">
          {description}
        </p>
      )}
      <dl class="facts card">
        <dt>State</dt>
        <dd>
          <State {...PAGE_STATES[one.status]} />
        </dd>
        <dt>Visibility</dt>
        <dd>
          <State {...visibilityOf(one)} />
        </dd>
        <dt>URL</dt>
        <dd>{published ? <PublicLink slug={slug} text={publicUrl} /> : `${publicUrl} (404 until published)`}</dd>
        {one.customDomain !== null && (
          <>
            <dt>Custom domain</dt>
            <dd>{one.customDomain}</dd>
          </>
        )}
        <dt>Content</dt>
        <dd>
          {componentsWords(one)}, {counted(one.historyDays, 'day')} of history, times in {one.timezone}
        </dd>
      </dl>
    </>
  );
}

interface ToolsProps {
  frame: PageFrame;
  one: StatusPageDto;
  path: string;
  mayWrite: boolean;
}

function Tools({ frame, one: { slug, published }, path, mayWrite }: ToolsProps) {
  return (
    <>
      {published ? (
        <a class="button plain" href={`/status/${slug}`}>
          <Icon name="external-link" />
          Open page
        </a>
      ) : (
        <a class="button plain" href={`${path}/preview`}>
          <Icon name="external-link" />
          Preview
        </a>
      )}
      {includesRole(frame.who!.role, 'owner') && (
        <a class="button plain" href={`${path}/subscribers`}>
          Subscribers
        </a>
      )}
      {mayWrite && (
        <>
          <a class="button plain" href={`${path}/edit`}>
            <Icon name="pencil" />
            Edit
          </a>
          {published ? (
            <a class="button plain" href={`${path}/unpublish`}>
              Unpublish
            </a>
          ) : (
            <Form frame={frame} action={`${path}/publish`} class="inline">
              <button class="button" type="submit">
                Publish
              </button>
            </Form>
          )}
          <MoreMenu>
            {published && <MenuLink href={`${path}/preview`} icon="external-link" label="Preview" />}
            <MenuLink href={`${path}/delete`} icon="trash" label="Delete" isDanger />
          </MoreMenu>
        </>
      )}
    </>
  );
}

function Integrations({ one: { publicUrl, published } }: { one: StatusPageDto }) {
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses">Integrations</h2>
      {!published && <p class="quiet">These URLs return 404 until the page is published.</p>}
      <div class="columns">
        <div>
          <h3>JSON</h3>
          <CopyBlock id="address-json" label="JSON URL" text={`${publicUrl}.json`} />
        </div>
        <div>
          <h3>Incident feed (Atom)</h3>
          <CopyBlock id="address-feed" label="feed URL" text={`${publicUrl}/feed.atom`} />
        </div>
        <div>
          <h3>Maintenance calendar (iCalendar)</h3>
          <CopyBlock id="address-calendar" label="calendar URL" text={`${publicUrl}/maintenance.ics`} />
        </div>
      </div>
    </section>
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
    children: <p>Its URL, feed and badges will return 404 until you publish it again.</p>,
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
    children: <p>Its URL, feed and badges will return 404. Its monitors are kept. This cannot be undone.</p>,
  });
}
