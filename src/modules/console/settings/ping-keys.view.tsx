import { includesRole } from '../../../domain/role.js';
import { type PingKeyDto, type PingKeyWithSecretDto } from '../../heartbeats/ping-keys/dto/ping-key.dto.js';
import { authorWords, type People } from '../author-words.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { CopyBlock, WithCurl } from '../html/copy.js';
import { Buttons, TextField } from '../html/fields.js';
import { FORMS_STYLE } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { SettingsNavigation } from './settings-navigation.js';

export const PING_KEYS_PATH = '/settings/ping-keys';

const DONE: Readonly<Record<string, string>> = {
  deleted: 'Ping key deleted. Reports with it are no longer accepted.',
};

export interface PingKeysProps {
  keys: readonly PingKeyDto[];
  nextCursor: string | null;
  /** The people who created the keys, by id. */
  people: People;
  /** The form that creates a key. */
  form: FormState;
}

export function renderPingKeys(frame: PageFrame, { keys, nextCursor, people, form }: PingKeysProps): string {
  const mayMake = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: 'Ping keys',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Ping keys" />,
    done: DONE[frame.done],
    form,
    styles: [FORMS_STYLE],
    children: (
      <>
        <p class="lead">
          With a ping key, jobs report to any heartbeat monitor of the team by the key of the monitor, so a script needs
          only one secret. A ping key can do nothing else.
        </p>
        {keys.length === 0 ? (
          <Empty>
            No ping keys yet. {mayMake ? 'Create the first one below.' : 'An editor or owner can create one.'}
          </Empty>
        ) : (
          <Table
            caption="Ping keys"
            columns={['Name', 'Created by', 'Created', ...(mayMake ? ['Actions'] : [])]}
            rows={keys.map(({ id, name, prefix, createdBy, createdAt }) => ({
              key: id,
              cells: [
                <>
                  <span dir="auto">{name}</span>
                  <br />
                  <code class="quiet">{prefix}…</code>
                </>,
                <span dir="auto">{authorWords(createdBy, people)}</span>,
                <RelativeTime at={createdAt} nowMs={frame.nowMs} />,
                ...(mayMake ? [<DeleteLink id={id} name={name} />] : []),
              ],
            }))}
          />
        )}
        {nextCursor !== null && (
          <p>
            <a href={withQuery(PING_KEYS_PATH, { cursor: nextCursor })}>Older keys</a>
          </p>
        )}
        {mayMake && <NewPingKey frame={frame} form={form} />}
      </>
    ),
  });
}

function DeleteLink({ id, name }: { id: string; name: string }) {
  return (
    <a href={`${PING_KEYS_PATH}/${id}/delete`}>
      Delete<span class="hidden"> {name}</span>
    </a>
  );
}

function NewPingKey({ frame, form }: { frame: PageFrame; form: FormState }) {
  return (
    <section class="card" aria-labelledby="new-key">
      <h2 id="new-key">Create ping key</h2>
      <Form frame={frame} action={PING_KEYS_PATH}>
        <TextField form={form} pointer="/name" help="Where the key is used, for example a machine." required />
        <Buttons>
          <button class="button" type="submit">
            Create ping key
          </button>
        </Buttons>
      </Form>
      <WithCurl
        id="new-key-curl"
        command={curlLine('POST', `${frame.origin}/v1/ping-keys`, { body: { name: 'Cron on web-1' } })}
      />
    </section>
  );
}

/** Renders the only page that ever shows a ping key, with a line for a job. */
export function renderPingSecret(frame: PageFrame, { name, secret }: PingKeyWithSecretDto): string {
  return page(frame, {
    title: 'Ping key created',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Ping keys" />,
    styles: [FORMS_STYLE],
    children: (
      <>
        <p class="warning" role="status">
          <strong>Copy the key now: it is not shown again.</strong>
        </p>
        <section class="card" aria-labelledby="secret-title">
          <h2 id="secret-title" dir="auto">
            {name}
          </h2>
          <CopyBlock id="secret" label="ping key" text={secret ?? ''} />
          <h3>Report to a monitor</h3>
          <p>
            Replace <code>nightly-backup</code> with the key of a heartbeat monitor. With <code>?create=1</code>, a
            missing monitor is created.
          </p>
          <CopyBlock
            id="try"
            label="curl command"
            text={`curl -fsS -m 10 --retry 5 '${frame.origin}/ping/${secret ?? ''}/nightly-backup'`}
          />
        </section>
        <p>
          <a class="button" href={PING_KEYS_PATH}>
            Done
          </a>
        </p>
      </>
    ),
  });
}

export function renderDeletePingKey(frame: PageFrame, { id, name, prefix }: PingKeyDto): string {
  return renderConfirm(frame, {
    title: `Delete ${name}?`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Ping keys" />,
    trail: [{ label: 'Ping keys', href: PING_KEYS_PATH }],
    action: `${PING_KEYS_PATH}/${id}/delete`,
    button: 'Delete key',
    back: PING_KEYS_PATH,
    curl: curlLine('DELETE', `${frame.origin}/v1/ping-keys/${id}`),
    children: (
      <p>
        Reports with <code>{prefix}…</code> are rejected from then on, so monitors whose jobs use it go down when their
        next report is due. This cannot be undone.
      </p>
    ),
  });
}
