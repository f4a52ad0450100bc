import { type Invited } from '../../teams/invitations.service.js';
import { FormState, type FormShape } from '../form-state.js';
import { Buttons, NewPasswordField, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { ROLE_WORDS } from '../role-words.js';
import { Credentials, SIGN_IN_FORM } from './sign-in.view.js';

export const JOIN_FORM: FormShape = {
  id: 'join',
  labels: { '/name': 'Your name', '/email': 'Email', '/password': 'Password' },
};

export interface InvitationProps {
  token: string;
  invited: Invited;
  /** One of the two forms, if it was sent and refused. */
  join?: FormState;
  signIn?: FormState;
}

export function renderInvitation(frame: PageFrame, { token, invited, join, signIn }: InvitationProps): string {
  const { label, help } = ROLE_WORDS[invited.role];
  const path = `/invitations/${token}`;
  return page(frame, {
    title: `Join ${invited.teamName}`,
    entrance: true,
    form: join ?? signIn,
    children: (
      <>
        <p>
          You have been invited to join <strong dir="auto">{invited.teamName}</strong>. Role: {label} ({help}).
        </p>
        {frame.who ? (
          <Form frame={frame} action={`${path}/join`} class="form card">
            <Buttons>
              <button class="button" type="submit">
                Join as {frame.who.name}
              </button>
            </Buttons>
          </Form>
        ) : (
          <>
            <NewPerson frame={frame} path={path} form={join ?? FormState.blank(JOIN_FORM)} />
            <KnownPerson frame={frame} path={path} form={signIn ?? FormState.blank(SIGN_IN_FORM)} />
          </>
        )}
      </>
    ),
  });
}

interface EntryProps {
  frame: PageFrame;
  path: string;
  form: FormState;
}

function NewPerson({ frame, path, form }: EntryProps) {
  return (
    <section class="card" aria-labelledby="new-person">
      <h2 id="new-person">Create an account</h2>
      <Form frame={frame} action={path}>
        <TextField form={form} pointer="/name" autoComplete="name" required />
        <TextField form={form} pointer="/email" type="email" autoComplete="username" required />
        <NewPasswordField form={form} />
        <Buttons>
          <button class="button" type="submit">
            Create account and join
          </button>
        </Buttons>
      </Form>
    </section>
  );
}

function KnownPerson({ frame, path, form }: EntryProps) {
  return (
    <section class="card" aria-labelledby="known-person">
      <h2 id="known-person">I already have an account</h2>
      <Form frame={frame} action={`${path}/sign-in`}>
        <Credentials form={form} />
        <Buttons>
          <button class="button plain" type="submit">
            Sign in and join
          </button>
        </Buttons>
      </Form>
    </section>
  );
}

const REASONS: Readonly<Record<Exclude<Invited['state'], 'open'>, string>> = {
  accepted: 'This invitation has already been used. Each invitation is for one person.',
  revoked: 'An owner of the team has revoked this invitation.',
  expired: 'This invitation has expired. Invitations are valid for seven days.',
};

export function renderNoInvitation(frame: PageFrame, state: Invited['state'] | null): string {
  const reason =
    state === null || state === 'open' ? 'Invitation not found. The link may be incomplete.' : REASONS[state];
  return page(frame, {
    title: 'Invalid invitation',
    entrance: true,
    children: (
      <div class="card">
        <p>{reason}</p>
        <p>
          Ask an owner of the team for a new one. If you have already joined, <a href="/sign-in">sign in</a>.
        </p>
      </div>
    ),
  });
}
