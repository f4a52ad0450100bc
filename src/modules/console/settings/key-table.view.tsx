import { StateMark } from '../../../html/state-mark.js';
import { type ApiKeyDto } from '../../api-keys/dto/api-key.dto.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { type People } from '../author-words.js';
import { Table } from '../html/table.js';
import { RelativeTime, Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { expiryMark } from './expiry.js';
import { API_KEYS_PATH } from './key-form.js';

export interface KeyTableProps {
  keys: readonly ApiKeyDto[];
  /** The people who created the keys, by id. */
  people: People;
  /** Whether these are the revoked keys. */
  revoked: boolean;
}

/** A table of API keys, each with the actions that the reader may perform. */
export function KeyTable({ frame, keys, people, revoked }: KeyTableProps & { frame: PageFrame }) {
  const columns = [
    'Name',
    'Scope',
    'Created by',
    'Last used',
    revoked ? 'Revoked' : 'Expires',
    ...(revoked ? [] : ['Actions']),
  ];
  return (
    <Table
      caption="API keys"
      columns={columns}
      rows={keys.map((key) => ({
        key: key.id,
        cells: [
          <Name one={key} />,
          key.scopes.join(', '),
          <>
            <span dir="auto">{makerOf(key, people)}</span>, <RelativeTime at={key.createdAt} nowMs={frame.nowMs} />
          </>,
          <RelativeTime at={key.lastUsedAt} nowMs={frame.nowMs} />,
          revoked ? (
            <RelativeTime at={key.revokedAt} nowMs={frame.nowMs} />
          ) : (
            <Expiry expiresAt={key.expiresAt} nowMs={frame.nowMs} />
          ),
          ...(revoked ? [] : [<Actions one={key} who={frame.who!} />]),
        ],
      }))}
    />
  );
}

function Name({ one: { name, prefix, previousPrefix, previousExpiresAt } }: { one: ApiKeyDto }) {
  return (
    <>
      <span dir="auto">{name}</span>
      <br />
      <code class="quiet">{prefix}…</code>
      {previousPrefix !== null && (
        <span class="quiet">
          {' '}
          and <code>{previousPrefix}…</code> until <Time at={previousExpiresAt} />
        </span>
      )}
    </>
  );
}

function makerOf({ createdBy }: ApiKeyDto, people: People): string {
  const [kind, id = ''] = createdBy.split(':');
  if (kind === 'user') return people.get(id)?.name ?? 'Former user';
  return kind === 'api-key' ? 'Another API key' : 'System';
}

function Expiry({ expiresAt, nowMs }: { expiresAt: string | null; nowMs: number }) {
  const marked = expiryMark(expiresAt, nowMs);
  return (
    <>
      {marked && (
        <span class="state">
          <StateMark mark={marked.mark} />
          <strong>{marked.words}</strong>
        </span>
      )}
      {marked ? (
        <>
          <br />
          <Time at={expiresAt} />
        </>
      ) : (
        <RelativeTime at={expiresAt} nowMs={nowMs} />
      )}
    </>
  );
}

function Actions({ one: { id, name, createdBy }, who }: { one: ApiKeyDto; who: SignedIn }) {
  const isTheirs = who.role === 'owner' || (who.role === 'editor' && createdBy === `user:${who.userId}`);
  if (!isTheirs) return <span class="quiet">None available</span>;
  return (
    <div class="buttons">
      <a href={`${API_KEYS_PATH}/${id}/rotate`}>
        Rotate<span class="hidden"> {name}</span>
      </a>
      <a href={`${API_KEYS_PATH}/${id}/revoke`}>
        Revoke<span class="hidden"> {name}</span>
      </a>
    </div>
  );
}
