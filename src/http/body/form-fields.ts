import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The fields of a form as they were sent, in their order. */
export class FormFields {
  constructor(private readonly fields: URLSearchParams = new URLSearchParams()) {}

  /** Returns the first value of a field; empty if it was not sent. */
  text(name: string): string {
    return this.fields.get(name) ?? '';
  }

  /** Returns every value of a field, as check boxes with the same name send them. */
  texts(name: string): string[] {
    return this.fields.getAll(name);
  }

  /** Returns the first value of every field, by name. */
  record(): Record<string, string> {
    return Object.fromEntries([...this.fields].reverse());
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }

  /** Returns a copy in which these fields have these values. */
  with(values: Readonly<Record<string, string>>): FormFields {
    const fields = new URLSearchParams(this.fields);
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    return new FormFields(fields);
  }
}

/** The form of a POST request to the web application. */
export const Form = formDecorator((form) => form);

/** Returns a decorator of parameters for the form of a POST request, with its fields prepared. */
export function formDecorator(prepare: (form: FormFields) => FormFields): () => ParameterDecorator {
  return createParamDecorator((_: unknown, context: ExecutionContext): FormFields =>
    prepare(context.switchToHttp().getRequest<{ form?: FormFields }>().form ?? new FormFields()),
  );
}
