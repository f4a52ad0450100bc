import { type SessionSummary } from '../../sessions/sessions.service.js';
import { type FormShape, type FormState } from '../form-state.js';
import { Buttons, NewPasswordField, TextField } from '../html/fields.js';
import { FORMS_STYLE } from '../html/form-assets.js';
import { ActionButton, Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { Table } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { ROLE_WORDS } from '../role-words.js';
import { browserName } from './browser-name.js';
import { SettingsNavigation } from './settings-navigation.js';

export const ACCOUNT_PATH = '/settings/account';
export const NAME_FORM: FormShape = { id: 'own', labels: { '/name': 'Name' } };
export const PASSWORD_FORM: FormShape = {
  id: 'password',
  labels: { '/currentPassword': 'Current password', '/password': 'New password' },
};

const DONE: Readonly<Record<string, string>> = {
  renamed: 'Name changed.',
  'password-changed': 'Password changed. You are signed out everywhere else.',
  'signed-out': 'That browser was signed out.',
  'signed-out-others': 'You are signed out everywhere else.',
};

export interface AccountProps {
  places: readonly SessionSummary[];
  name: FormState;
  password: FormState;
  /** The form that was sent and refused, if any. */
  refused: FormState | undefined;
}

export function renderAccount(frame: PageFrame, { places, refused, ...forms }: AccountProps): string {
  const { email, teamName, role } = frame.who!;
  return page(frame, {
    title: 'Account',
    section: 'Settings',
    styles: [FORMS_STYLE],
    subNavigation: <SettingsNavigation current="Account" />,
    done: DONE[frame.done],
    form: refused,
    children: (
      <>
        <section class="card" aria-labelledby="profile">
          <h2 id="profile">Profile</h2>
          <dl class="facts">
            <dt>Email</dt>
            <dd>{email}</dd>
            <dt>Role</dt>
            <dd dir="auto">
              {ROLE_WORDS[role].label} of {teamName}: {ROLE_WORDS[role].help}
            </dd>
          </dl>
          <Name frame={frame} form={forms.name} />
        </section>
        <Password frame={frame} form={forms.password} />
        <Places frame={frame} places={places} />
      </>
    ),
  });
}

function Name({ frame, form }: { frame: PageFrame; form: FormState }) {
  return (
    <Form frame={frame} action={`${ACCOUNT_PATH}/name`}>
      <TextField
        form={form}
        pointer="/name"
        autoComplete="name"
        help="Shown to other members of your teams."
        required
      />
      <Buttons>
        <button class="button plain" type="submit">
          Change name
        </button>
      </Buttons>
    </Form>
  );
}

function Password({ frame, form }: { frame: PageFrame; form: FormState }) {
  return (
    <section class="card" aria-labelledby="password">
      <h2 id="password">Change password</h2>
      <Form frame={frame} action={`${ACCOUNT_PATH}/password`}>
        <TextField form={form} pointer="/currentPassword" type="password" autoComplete="current-password" required />
        <NewPasswordField form={form} />
        <Buttons>
          <button class="button" type="submit">
            Change password
          </button>
        </Buttons>
        <p class="quiet">You will be signed out everywhere else.</p>
      </Form>
    </section>
  );
}

function Places({ frame, places }: { frame: PageFrame; places: readonly SessionSummary[] }) {
  const hasOthers = places.length > 1;
  return (
    <section aria-labelledby="places">
      <h2 id="places">Sessions</h2>
      <Table
        caption="Sessions"
        columns={['Browser', 'Signed in', 'Last seen', ...(hasOthers ? ['Actions'] : [])]}
        rows={places.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
          key: id,
          cells: [
            <>
              {browserName(userAgent)}
              {id === frame.who!.sessionId && <span class="quiet"> (this browser)</span>}
            </>,
            <RelativeTime at={createdAt} nowMs={frame.nowMs} />,
            <RelativeTime at={lastSeenAt} nowMs={frame.nowMs} />,
            ...(hasOthers
              ? [
                  id !== frame.who!.sessionId && (
                    <ActionButton
                      frame={frame}
                      action={`${ACCOUNT_PATH}/sessions/${id}/sign-out`}
                      label="Sign out"
                      about={browserName(userAgent)}
                    />
                  ),
                ]
              : []),
          ],
        }))}
      />
      <Buttons>
        {hasOthers && (
          <ActionButton frame={frame} action={`${ACCOUNT_PATH}/sign-out-others`} label="Sign out everywhere else" />
        )}
        <ActionButton frame={frame} action={`${ACCOUNT_PATH}/sign-out-everywhere`} label="Sign out everywhere" />
      </Buttons>
    </section>
  );
}
