import { type FormShape, type FormState } from '../form-state.js';
import { Buttons, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';

export const FORGOT_PATH = '/forgot-password';
export const FORGOT_FORM: FormShape = { id: 'forgot', labels: { '/email': 'Email' } };

export function renderForgotPassword(frame: PageFrame, form: FormState): string {
  return page(frame, {
    title: 'Reset your password',
    entrance: true,
    form,
    children: (
      <>
        <p class="lead">Enter the email address of your account. We will send you a link to set a new password.</p>
        <Form frame={frame} action={FORGOT_PATH} class="form card">
          <TextField form={form} pointer="/email" type="email" autoComplete="username" required />
          <Buttons>
            <button class="button" type="submit">
              Send link
            </button>
          </Buttons>
        </Form>
        <BackToSignIn />
      </>
    ),
  });
}

/** Renders the answer to a request, which is the same for every address. */
export function renderLinkRequested(frame: PageFrame): string {
  return page(frame, {
    title: 'Check your inbox',
    entrance: true,
    children: (
      <>
        <div class="card">
          <p>
            If an account with that email exists, we have sent it a link to set a new password. The link can be used
            once, within one hour.
          </p>
          <p class="quiet">
            No email after a few minutes? Check your spam folder, or <a href={FORGOT_PATH}>try again</a>. At most three
            links an hour are sent to an account.
          </p>
        </div>
        <BackToSignIn />
      </>
    ),
  });
}

/** Renders what people can do if there is no mail server. */
export function renderNoResets(frame: PageFrame): string {
  return page(frame, {
    title: 'Passwords cannot be reset by email',
    entrance: true,
    children: (
      <>
        <p class="card">
          This installation has no mail server. Ask the person who operates it for a link to set a new password.
        </p>
        <BackToSignIn />
      </>
    ),
  });
}

function BackToSignIn() {
  return (
    <p class="quiet">
      <a href="/sign-in">Back to sign-in</a>
    </p>
  );
}
