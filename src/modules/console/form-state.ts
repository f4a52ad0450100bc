import { type FormFields } from '../../http/body/form-fields.js';
import { type FieldError, type ProblemException } from '../../http/problems/problem.js';
import { faultWords } from './fault-words.js';

/** A form as it is declared. */
export interface FormShape {
  /** Its name among those of its page. */
  id: string;
  /** What its fields are called, in their order on the page, by where they write: JSON pointers into the API's body. */
  labels: Readonly<Record<string, string>>;
  /** Where another field than that of the place wrote there: its faults are told at that one. */
  writtenBy?: Readonly<Record<string, string>>;
}

/** One line of the list of what is wrong; without an anchor where it is about no field. */
export interface Fault {
  detail: string;
  anchor: string | null;
}

/**
 * A form as a page shows it: blank, or again as it was sent, with what was refused. Faults of the API's body are told
 * at the field that writes the place, or the nearest place above it; all of them at the top of the page.
 */
export class FormState {
  /** Looked up once: a form may have thousands of fields, and as many faults. */
  private readonly errorsByField = new Map<string | null, string[]>();

  private constructor(
    private readonly shape: FormShape,
    private readonly fields: FormFields | null,
    private readonly defaults: Readonly<Record<string, string>>,
    private readonly refusal: ProblemException | null,
  ) {
    for (const error of this.errors) {
      const field = this.fieldOf(error.pointer);
      const told = this.errorsByField.get(field);
      if (told) told.push(this.worded(error));
      else this.errorsByField.set(field, [this.worded(error)]);
    }
  }

  static blank(shape: FormShape, defaults: Readonly<Record<string, string>> = {}): FormState {
    return new FormState(shape, null, defaults, null);
  }

  /** As it was sent, for a page that shows what came of it. */
  static sent(shape: FormShape, fields: FormFields): FormState {
    return new FormState(shape, fields, {}, null);
  }

  static refused(shape: FormShape, fields: FormFields, refusal: ProblemException): FormState {
    return new FormState(shape, fields, {}, refusal);
  }

  /** The status of the page that shows it, and the headers that the refusal wants. */
  get status(): number {
    return this.refusal?.getStatus() ?? 200;
  }

  get headers(): Record<string, string> {
    return this.refusal?.headers ?? {};
  }

  /** The id of the field that writes to a pointer, within its page. */
  idOf(pointer: string): string {
    return this.shape.id + pointer.replaceAll('/', '-');
  }

  labelOf(pointer: string): string {
    return this.shape.labels[pointer] ?? pointer;
  }

  /** What stands in a field. */
  text(name: string): string {
    return this.fields ? this.fields.text(name) : (this.defaults[name] ?? '');
  }

  /** What is wrong with the field that writes to a pointer. */
  errorsAt(pointer: string): string[] {
    return this.errorsByField.get(pointer) ?? [];
  }

  /** All that is wrong, for the top of the page: what is about no field, then in the order of the fields. */
  get faults(): Fault[] {
    if (!this.refusal) return [];
    if (this.errors.length === 0) return [{ detail: this.refusal.detail, anchor: null }];
    const order = new Map([null, ...Object.keys(this.shape.labels)].map((field, place) => [field, place]));
    return this.errors
      .map((error) => ({ error, field: this.fieldOf(error.pointer) }))
      .sort((a, b) => order.get(a.field)! - order.get(b.field)!)
      .map(({ error, field }) => ({ detail: this.worded(error), anchor: field === null ? null : this.idOf(field) }));
  }

  private get errors(): FieldError[] {
    return this.refusal?.errors ?? [];
  }

  /** The API begins with the name of the member, or leaves it to the pointer; whoever reads the form knows it by its label. */
  private worded({ pointer = '', detail }: FieldError): string {
    const [name = ''] = pointer.split('/').slice(-1);
    const field = this.fieldOf(pointer);
    const isBelow = field !== this.writerOf(pointer);
    if (detail.startsWith(`${name} `)) {
      const words = faultWords(detail.slice(name.length + 1));
      return `${isBelow ? name : this.labelOf(field ?? '')} ${words}`;
    }
    return !isBelow && detail.startsWith('wants ') ? `${this.labelOf(field ?? '')} ${detail}` : detail;
  }

  private fieldOf(pointer = ''): string | null {
    for (let place = this.writerOf(pointer); ; place = place.slice(0, place.lastIndexOf('/'))) {
      if (Object.hasOwn(this.shape.labels, place)) return place;
      if (!place.includes('/')) return null;
    }
  }

  private writerOf(pointer: string): string {
    return this.shape.writtenBy?.[pointer] ?? pointer;
  }
}
