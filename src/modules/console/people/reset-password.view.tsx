import { type FormShape, type FormState } from '../form-state.js';
import { Buttons, NewPasswordField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { FORGOT_PATH } from './forgot-password.view.js';

export const RESET_PATH = '/reset-password';
export const RESET_FORM: FormShape = { id: 'reset', labels: { '/password': 'New password' } };

export function renderResetPassword(frame: PageFrame, email: string, form: FormState): string {
  return page(frame, {
    title: 'Set a new password',
    entrance: true,
    form,
    children: (
      <>
        <p class="lead">
          For the account <strong>{email}</strong>. You will be signed out everywhere.
        </p>
        <Form frame={frame} action={RESET_PATH} class="form card">
          {/* Password managers store the new password under this name. */}
          <input
            class="hidden"
            type="text"
            name="username"
            autocomplete="username"
            value={email}
            readOnly
            tabIndex={-1}
            aria-label="Account"
          />
          <NewPasswordField form={form} />
          <Buttons>
            <button class="button" type="submit">
              Set password
            </button>
          </Buttons>
        </Form>
      </>
    ),
  });
}

/** @param isOffered whether a new link can be requested by email */
export function renderInvalidLink(frame: PageFrame, isOffered: boolean): string {
  return page(frame, {
    title: 'Invalid link',
    entrance: true,
    children: (
      <div class="card">
        <p>
          This link to set a new password has been used, has expired, or is incomplete. Links are valid for one hour.
        </p>
        <p>
          {isOffered ? (
            <>
              <a href={FORGOT_PATH}>Request a new link</a>, or <a href="/sign-in">sign in</a>.
            </>
          ) : (
            <>
              Ask the person who operates this installation for a new link, or <a href="/sign-in">sign in</a>.
            </>
          )}
        </p>
      </div>
    ),
  });
}
