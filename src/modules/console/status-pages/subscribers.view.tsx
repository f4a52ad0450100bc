import { counted } from '../../../html/counted.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import {
  type ImportedSubscribersDto,
  type SkipReason,
  type SubscriberDto,
  type SubscriberStatus,
  type SubscriberWebhookDto,
} from '../../status-pages/subscribers/dto/subscriber.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, TextField } from '../html/fields.js';
import { FORMS_SCRIPT, FORMS_STYLE } from '../html/form-assets.js';
import { ActionButton, Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { PAGE_STYLES, STATUS_PAGES_PATH } from './pages.view.js';

/** Lines that the page lists after an import; it counts the others. */
const LISTED = 50;

interface SubscribersProps {
  one: StatusPageDto;
  subscribers: readonly SubscriberDto[];
  /** The number of subscribers who have confirmed. */
  count: number;
  nextCursor: string | null;
}

export const subscribersPath = (pageId: string): string => `${STATUS_PAGES_PATH}/${pageId}/subscribers`;

const DONE: Readonly<Record<string, string>> = {
  added: 'Subscriber added. No email was sent.',
  invited: 'Confirmation email sent. The subscriber becomes active once they confirm.',
  removed: 'Subscriber removed. The address is erased.',
};

export const apiOf = (frame: PageFrame, pageId: string): string => `${frame.origin}/v1${subscribersPath(pageId)}`;
export const trailOf = ({ id, name }: StatusPageDto) => [
  { label: 'Status pages', href: STATUS_PAGES_PATH },
  { label: name, href: `${STATUS_PAGES_PATH}/${id}` },
];

/** Renders the subscribers of a status page. */
export function renderSubscribers(frame: PageFrame, props: SubscribersProps): string {
  const { one, subscribers, count, nextCursor } = props;
  const path = subscribersPath(one.id);
  return page(frame, {
    title: 'Subscribers',
    section: 'Status pages',
    trail: trailOf(one),
    styles: PAGE_STYLES,
    done: DONE[frame.done],
    tools: (
      <a class="button plain" href={`${path}/import`}>
        Import
      </a>
    ),
    action: { label: 'Add subscriber', href: `${path}/new` },
    children: (
      <>
        <p class="lead">
          {countWords(count)} Visitors subscribe on the status page and confirm through a link in an email.
        </p>
        {subscribers.length === 0 ? (
          <Empty>Nobody has subscribed to this page yet.</Empty>
        ) : (
          <Table
            caption="Subscribers"
            columns={['Email', 'Type', 'Status', 'Components', 'Subscribed', 'Actions']}
            rows={subscribers.map((subscriber) => ({
              key: subscriber.id,
              cells: cellsOf(frame, one, subscriber),
            }))}
          />
        )}
        {nextCursor !== null && (
          <p>
            <a href={withQuery(path, { cursor: nextCursor })}>Older subscribers</a>
          </p>
        )}
        <WithCurl id="subscribers-curl" command={curlLine('GET', apiOf(frame, one.id))} />
      </>
    ),
  });
}

function cellsOf(frame: PageFrame, one: StatusPageDto, subscriber: SubscriberDto) {
  const { id, email, webhook, status, statusReason, componentIds, consentSource, createdAt } = subscriber;
  return [
    <span dir="auto">{email}</span>,
    webhook === null ? (
      'Email'
    ) : (
      <>
        Webhook{WEBHOOK_WORDS[webhook.status]}
        <div class="quiet">{webhook.url}</div>
        {webhook.error !== null && <div class="quiet">{webhook.error}</div>}
      </>
    ),
    <>
      {STATUS_WORDS[status]}
      {statusReason !== null && (
        <div class="quiet" dir="auto">
          {statusReason}
        </div>
      )}
      {consentSource !== null && (
        <div class="quiet" dir="auto">
          {consentSource}
        </div>
      )}
    </>,
    <span dir="auto">{componentWords(one, componentIds)}</span>,
    <RelativeTime at={createdAt} nowMs={frame.nowMs} />,
    <ActionButton
      frame={frame}
      action={`${subscribersPath(one.id)}/${id}/remove`}
      label="Remove"
      about={email ?? id}
    />,
  ];
}

const STATUS_WORDS: Readonly<Record<SubscriberStatus, string>> = {
  pending: 'Not confirmed',
  active: 'Active',
  bounced: 'Bounced',
  complained: 'Reported as spam',
};

const WEBHOOK_WORDS: Readonly<Record<SubscriberWebhookDto['status'], string>> = {
  unanswered: ', not verified: updates are emailed',
  active: '',
  ended: ', deactivated after failures: updates are emailed',
};

function componentWords({ components }: StatusPageDto, componentIds: readonly string[] | null): string {
  if (componentIds === null) return 'All';
  const names = components.filter(({ id }) => componentIds.includes(id)).map(({ name }) => name);
  return names.length === 0 ? 'Only deleted components' : names.join(', ');
}

function countWords(count: number): string {
  return `${counted(count, 'confirmed subscriber')}.`;
}

/** Renders the form that imports subscribers. */
export function renderImport(frame: PageFrame, one: StatusPageDto, form: FormState): string {
  const path = subscribersPath(one.id);
  const example = { consentSource: 'Export of the previous status page', csv: 'email\nsam@example.com\n' };
  return page(frame, {
    title: 'Import subscribers',
    section: 'Status pages',
    trail: [...trailOf(one), { label: 'Subscribers', href: path }],
    form,
    styles: [FORMS_STYLE],
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        <p class="lead">
          For people who have consented elsewhere. Nothing is sent to them now. Addresses that unsubscribed from this
          page or were removed from it are skipped.
        </p>
        <Form frame={frame} action={`${path}/import`} class="form wide" guards={form}>
          <div class="group">
            <TextField form={form} pointer="/consentSource" help="Stored with each address." required />
            <AreaField
              form={form}
              pointer="/csv"
              rows={8}
              isCode
              required
              help="One address per line, or the content of a CSV file with the column “email”."
            />
          </div>
          <Buttons>
            <button class="button" type="submit">
              Import
            </button>
            <a href={path}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl id="import-curl" command={curlLine('POST', `${apiOf(frame, one.id)}/import`, { body: example })} />
      </>
    ),
  });
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  invalid_address: 'not an email address',
  already_subscribed: 'already subscribed',
  erased: 'unsubscribed or was removed',
  quarantined: 'an email to it bounced or was reported as spam',
};

/** Renders the result of an import. */
export function renderImported(
  frame: PageFrame,
  one: StatusPageDto,
  { imported, skipped }: ImportedSubscribersDto,
): string {
  const path = subscribersPath(one.id);
  return page(frame, {
    title: imported === 1 ? '1 subscriber imported' : `${imported} subscribers imported`,
    section: 'Status pages',
    trail: [...trailOf(one), { label: 'Subscribers', href: path }],
    children: (
      <>
        {skipped.length > 0 && (
          <>
            <p>Skipped lines:</p>
            <ul>
              {skipped.slice(0, LISTED).map(({ line, reason }) => (
                <li key={line}>
                  Line {line}: {SKIPPED[reason]}
                </li>
              ))}
              {skipped.length > LISTED && <li>and {skipped.length - LISTED} more</li>}
            </ul>
          </>
        )}
        <p>
          <a href={path}>Subscribers</a>
        </p>
      </>
    ),
  });
}
