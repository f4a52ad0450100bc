import { includesRole } from '../../../domain/role.js';
import { type FormState } from '../form-state.js';
import { FORMS_STYLE } from '../html/form-assets.js';
import { page } from '../html/layout.js';
import { Empty } from '../html/table.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { type KeyTableProps, KeyTable } from './key-table.view.js';
import { API_KEYS_PATH } from './key-form.js';
import { NewKey } from './new-key.view.js';
import { SettingsNavigation } from './settings-navigation.js';

export interface ApiKeysProps extends KeyTableProps {
  nextCursor: string | null;
  /** The form that creates a key. */
  form: FormState;
}

const DONE: Readonly<Record<string, string>> = {
  revoked: 'API key revoked. It stops working within a second.',
};

export function renderApiKeys(frame: PageFrame, props: ApiKeysProps): string {
  const { keys, nextCursor, revoked, form } = props;
  const mayMake = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: revoked ? 'Revoked API keys' : 'API keys',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="API keys" />,
    done: DONE[frame.done],
    form,
    styles: [FORMS_STYLE],
    children: (
      <>
        <p class="lead">
          API keys let programs and pipelines call the API on behalf of the team. The <a href="/docs">API reference</a>{' '}
          lists every operation and the scope that it needs.
        </p>
        {keys.length === 0 ? <NoKeys revoked={revoked} mayMake={mayMake} /> : <KeyTable frame={frame} {...props} />}
        {nextCursor !== null && (
          <p>
            <a href={withQuery(API_KEYS_PATH, { revoked: revoked ? 'true' : null, cursor: nextCursor })}>Older keys</a>
          </p>
        )}
        <p>
          {revoked ? (
            <a href={API_KEYS_PATH}>Active keys</a>
          ) : (
            <a href={`${API_KEYS_PATH}?revoked=true`}>Revoked keys</a>
          )}
        </p>
        {mayMake && !revoked && <NewKey frame={frame} form={form} />}
      </>
    ),
  });
}

function NoKeys({ revoked, mayMake }: { revoked: boolean; mayMake: boolean }) {
  if (revoked) return <Empty>No revoked keys.</Empty>;
  const next = mayMake ? 'Create the first one below.' : 'An editor or owner can create one.';
  return <Empty>No API keys yet. {next}</Empty>;
}
