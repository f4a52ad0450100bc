import { type NotificationPolicyDto } from '../../notification-policies/dto/notification-policy.dto.js';
import { Form } from '../html/form.js';
import { MenuButton, MenuLink, MoreMenu } from '../html/menu.js';
import { State } from '../html/state.js';
import { Table } from '../html/table.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { LOG_PATH } from './notification-tabs.js';
import { POLICIES_PATH } from './policy-form.js';
import { type PolicyNames, policySentence } from './policy-words.js';

interface PolicyTableProps {
  frame: PageFrame;
  policies: readonly NotificationPolicyDto[];
  names: PolicyNames;
  mayEdit: boolean;
}

/** The policies of the team, with what each of them does. */
export function PolicyTable({ frame, policies, names, mayEdit }: PolicyTableProps) {
  return (
    <div class="policies">
      <Table
        caption="Notification policies"
        columns={['Policy', 'What it does', 'State', ...(mayEdit ? ['Actions'] : [])]}
        rows={policies.map((policy) => ({
          key: policy.id,
          cells: [
            <Name policy={policy} mayEdit={mayEdit} />,
            <span dir="auto">{policySentence(policy, names)}</span>,
            policy.enabled ? <State mark="up" word="Enabled" /> : <State mark="paused" word="Disabled" />,
            ...(mayEdit ? [<Actions frame={frame} policy={policy} />] : []),
          ],
        }))}
      />
    </div>
  );
}

function Name({ policy: { id, name }, mayEdit }: { policy: NotificationPolicyDto; mayEdit: boolean }) {
  if (!mayEdit) return <span dir="auto">{name}</span>;
  return (
    <a href={`${POLICIES_PATH}/${id}/edit`} dir="auto">
      {name}
    </a>
  );
}

function Actions({ frame, policy: { id, name, enabled } }: { frame: PageFrame; policy: NotificationPolicyDto }) {
  const path = `${POLICIES_PATH}/${id}`;
  return (
    <MoreMenu about={name}>
      <MenuLink href={`${path}/edit`} icon="pencil" label="Edit" about={name} />
      <MenuLink href={withQuery(LOG_PATH, { policyId: id })} icon="book-open" label="Delivery log" about={name} />
      {enabled ? (
        <Form frame={frame} action={`${path}/disable`}>
          <MenuButton icon="pause" label="Disable" about={name} />
        </Form>
      ) : (
        <Form frame={frame} action={`${path}/enable`}>
          <MenuButton icon="play" label="Enable" about={name} />
        </Form>
      )}
      <hr />
      <MenuLink href={`${path}/delete`} icon="trash" label="Delete" about={name} isDanger />
    </MoreMenu>
  );
}
