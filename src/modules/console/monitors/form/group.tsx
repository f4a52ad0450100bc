import { type ComponentChildren } from 'preact';
import { type FormState } from '../../form-state.js';

interface GroupProps {
  form: FormState;
  title: string;
  /** What is set in the section, in one line. */
  brief: string;
  /** The pointers that its controls write. */
  pointers: readonly string[];
  /** Whether it is expanded although none of its fields has a fault. */
  isOpen?: boolean;
  children: ComponentChildren;
}

/** A section of a form that most people do not need. It is expanded if one of its fields has a fault. */
export function Group({ form, title, brief, pointers, isOpen = false, children }: GroupProps) {
  const isWrong = pointers.some((pointer) => form.errorsAt(pointer).length > 0);
  return (
    <details class="group" open={isWrong || isOpen ? true : undefined} data-section>
      <summary>
        {title} <span class="brief">{brief}</span>
      </summary>
      <div class="more">{children}</div>
    </details>
  );
}
