import { type FormShape, type FormState } from '../form-state.js';
import { Buttons, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { FORGOT_PATH } from './forgot-password.view.js';

export const SIGN_IN_FORM: FormShape = {
  id: 'sign-in',
  labels: { '/email': 'Email', '/password': 'Password' },
};

const DONE: Readonly<Record<string, string>> = {
  'signed-out': 'You are signed out.',
  'signed-out-everywhere': 'You are signed out everywhere.',
  'password-reset': 'Your password was changed, and all your sessions have ended. Sign in with the new password.',
};

/** The fields for the credentials of an existing account. */
export function Credentials({ form }: { form: FormState }) {
  return (
    <>
      <TextField form={form} pointer="/email" type="email" autoComplete="username" required />
      <TextField form={form} pointer="/password" type="password" autoComplete="current-password" required />
    </>
  );
}

export interface SignInProps {
  form: FormState;
  /** The path to redirect to afterwards. */
  next: string;
  /** Whether people can reset their password by email. */
  canReset: boolean;
}

export function renderSignIn(frame: PageFrame, { form, next, canReset }: SignInProps): string {
  return page(frame, {
    title: 'Sign in',
    entrance: true,
    form,
    done: DONE[frame.done],
    children: (
      <>
        <Form frame={frame} action="/sign-in" class="form card">
          <input type="hidden" name="next" value={next} />
          <Credentials form={form} />
          <Buttons>
            <button class="button" type="submit">
              Sign in
            </button>
          </Buttons>
        </Form>
        {canReset && (
          <p class="quiet">
            <a href={FORGOT_PATH}>Forgot password?</a>
          </p>
        )}
        <p class="quiet">No account? Ask an owner of your team for an invitation link.</p>
      </>
    ),
  });
}
