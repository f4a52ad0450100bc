import { type FormShape, type FormState } from '../form-state.js';
import { Buttons, NewPasswordField, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';

export const SETUP_FORM: FormShape = {
  id: 'setup',
  labels: {
    '/token': 'Setup token',
    '/name': 'Your name',
    '/email': 'Email',
    '/password': 'Password',
    '/teamName': 'Team name',
  },
};

export function renderSetup(frame: PageFrame, form: FormState): string {
  return page(frame, {
    title: 'Set up Daywatch',
    entrance: true,
    form,
    children: (
      <>
        <p class="lead">You will own the first team and can invite others.</p>
        <Form frame={frame} action="/setup" class="form card">
          <TextField
            form={form}
            pointer="/token"
            help="In the service log, in the latest line “Set up the application”, after “token=”."
            required
          />
          <TextField form={form} pointer="/name" autoComplete="name" required />
          <TextField form={form} pointer="/email" type="email" autoComplete="username" required />
          <NewPasswordField form={form} />
          <TextField form={form} pointer="/teamName" autoComplete="organization" required />
          <Buttons>
            <button class="button" type="submit">
              Set up
            </button>
          </Buttons>
        </Form>
      </>
    ),
  });
}

export function renderIsSetUp(frame: PageFrame): string {
  return page(frame, {
    title: 'Daywatch is already set up',
    entrance: true,
    children: (
      <p class="card">
        The setup token works only once and has already been used. <a href="/sign-in">Sign in</a>, or ask an owner for
        an invitation.
      </p>
    ),
  });
}
