import { type ComponentChildren } from 'preact';
import { type FormState } from '../form-state.js';
import { type PageFrame } from '../page-frame.js';
import { WithCurl } from './copy.js';
import { Buttons } from './fields.js';
import { Form } from './form.js';
import { page, type SectionName } from './layout.js';

export interface ConfirmProps {
  title: string;
  section: SectionName;
  subNavigation?: ComponentChildren;
  /** What it will mean. */
  children: ComponentChildren;
  action: string;
  /** What the button says that does it. */
  button: string;
  /** Where to go instead. */
  back: string;
  /** How a program does it, where one can. */
  curl?: string;
  /** Why it was refused, where it was. */
  form?: FormState | undefined;
}

/** Asks before what cannot be undone. */
export function renderConfirm(frame: PageFrame, { children, action, button, back, curl, ...head }: ConfirmProps) {
  return page(frame, {
    ...head,
    children: (
      <>
        <Form frame={frame} action={action}>
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
