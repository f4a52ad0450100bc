import { type FormShape, type FormState } from '../form-state.js';
import { Buttons, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';

export const SIGN_IN_FORM: FormShape = {
  id: 'sign-in',
  labels: { '/email': 'Email', '/password': 'Password' },
};

const DONE: Readonly<Record<string, string>> = {
  'signed-out': 'You are signed out.',
  'signed-out-everywhere': 'You are signed out everywhere.',
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

/** Renders the sign-in page. `next` is the path to redirect to afterwards. */
export function renderSignIn(frame: PageFrame, form: FormState, next: string): string {
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
        <p class="quiet">No account? Ask an owner of your team for an invitation link.</p>
      </>
    ),
  });
}
