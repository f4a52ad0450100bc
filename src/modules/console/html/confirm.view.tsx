import { type ComponentChildren } from 'preact';
import { type FormState } from '../form-state.js';
import { type PageFrame } from '../page-frame.js';
import { WithCurl } from './copy.js';
import { Buttons } from './fields.js';
import { Form } from './form.js';
import { type SectionName } from './header.js';
import { type Crumb, page } from './layout.js';

export interface ConfirmProps {
  title: string;
  section: SectionName;
  subNavigation?: ComponentChildren;
  trail?: readonly Crumb[];
  /** The consequences of the action. */
  children: ComponentChildren;
  action: string;
  /** The label of the button that performs the action. */
  button: string;
  /** The address of the link that cancels. */
  back: string;
  /** The curl command that performs the same action, if there is one. */
  curl?: string;
  /** The refused form, if the action was refused. */
  form?: FormState | undefined;
}

/** Renders a page that asks for confirmation before an action that cannot be undone. */
export function renderConfirm(frame: PageFrame, { children, action, button, back, curl, ...head }: ConfirmProps) {
  return page(frame, {
    ...head,
    children: (
      <>
        <Form frame={frame} action={action} class="form card">
          {children}
          <Buttons>
            <button class="button danger" type="submit">
              {button}
            </button>
            <a href={back}>Cancel</a>
          </Buttons>
        </Form>
        {curl !== undefined && <WithCurl id="confirm-curl" command={curl} />}
      </>
    ),
  });
}
