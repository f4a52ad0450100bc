import { type ComponentChildren } from 'preact';
import { FORM_TOKEN_FIELD } from '../../../http/body/form-token.interceptor.js';
import { type FormState } from '../form-state.js';
import { type PageFrame } from '../page-frame.js';

interface FormProps {
  frame: PageFrame;
  action: string;
  class?: string;
  /** The state of the form, if leaving the page without sending it should ask first. */
  guards?: FormState;
  children: ComponentChildren;
}

/** A form that is sent by POST, with a token that protects against forged requests. */
export function Form({ frame, action, children, class: name = 'form', guards }: FormProps) {
  // What a page shows again has not been saved, so it counts as edited.
  const guard = guards && (guards.isSent ? 'edited' : 'untouched');
  return (
    <form method="post" action={action} class={name} data-guard={guard}>
      {frame.who && <input type="hidden" name={FORM_TOKEN_FIELD} value={frame.who.formToken} />}
      {children}
    </form>
  );
}

/** The faults of a refused form, at the top of the page. Each links to its field. */
export function ErrorSummary({ form }: { form: FormState }) {
  const { faults } = form;
  if (faults.length === 0) return null;
  return (
    <div class="summary" role="alert" tabIndex={-1} aria-labelledby="summary-title">
      <h2 id="summary-title">
        {faults.some(({ anchor }) => anchor !== null) ? 'Fix the following' : 'There is a problem'}
      </h2>
      <ul>
        {faults.map(({ detail, anchor }) => (
          <li key={detail}>{anchor === null ? detail : <a href={`#${anchor}`}>{detail}</a>}</li>
        ))}
      </ul>
    </div>
  );
}

/** A button that performs an action immediately, without a page of its own. */
export function ActionButton({
  label,
  about,
  ...form
}: {
  frame: PageFrame;
  action: string;
  label: string;
  /** The item that the action concerns, for screen readers that read the button out of context. */
  about?: string;
}) {
  return (
    <Form {...form} class="inline">
      <button class="button plain" type="submit">
        {label}
        {about && <span class="hidden"> {about}</span>}
      </button>
    </Form>
  );
}
