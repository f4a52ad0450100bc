import { type FormFields } from '../../../http/body/form-fields.js';
import { type StatusPageComponent } from '../status-page-component.entity.js';

/** What a subscriber has chosen: all components (null), some of them, or none by mistake. */
export type Choice = { componentIds: string[] | null } | 'nothing';

/** What is wrong with a form that was sent, with the address of a webhook that was entered. */
export interface FormFault {
  field: 'components' | 'webhook';
  text: string;
  webhook?: string;
}

/** Returns the components that a form names, of those of the page. */
export function choiceOf(form: FormFields, components: readonly Pick<StatusPageComponent, 'id'>[]): Choice {
  if (form.text('components') !== 'some') return { componentIds: null };
  const chosen = new Set(form.texts('component'));
  const componentIds = components.map(({ id }) => id).filter((id) => chosen.has(id));
  return componentIds.length === 0 ? 'nothing' : { componentIds };
}
