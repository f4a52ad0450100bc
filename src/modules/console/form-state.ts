import { type FormFields } from '../../http/body/form-fields.js';
import { type FieldError, type ProblemException } from '../../http/problems/problem.js';
import { faultWords } from './fault-words.js';

/** The declaration of a form. */
export interface FormShape {
  /** Unique among the forms of its page. */
  id: string;
  /** The labels of the fields, in page order, by the JSON pointer into the API's body that the field writes. */
  labels: Readonly<Record<string, string>>;
  /** Pointers that the field of another pointer has written. Their faults are shown at that field. */
  writtenBy?: Readonly<Record<string, string>>;
  /** Pointers of durations, with the length of the API's unit in milliseconds. Their faults are worded as durations. */
  durations?: Readonly<Record<string, number>>;
  /** The names of the controls of secrets, by the pointers that they write. Their contents are never sent back. */
  secrets?: Readonly<Record<string, string>>;
}

/** An entry of the list of faults. `anchor` is null if it does not concern a field. */
export interface Fault {
  detail: string;
  anchor: string | null;
}

/** The fault of a secret that was sent: if the page with the empty control is saved, the secret is silently lost. */
const SENT_SECRET = 'must be entered again before you save: it is never sent back to the browser.';

/**
 * A form as a page shows it: blank, or as it was sent, with the faults for which it was refused. A fault in the API's
 * body is shown at the field that writes its pointer, or else the nearest pointer above it. The top of the page lists
 * all faults. Secrets that were sent must be entered again, whatever the refusal.
 */
export class FormState {
  /** Indexed once, because a form may have thousands of fields and as many faults. */
  private readonly errorsByField = new Map<string | null, string[]>();
  private readonly sentSecrets: readonly FieldError[];

  private constructor(
    private readonly shape: FormShape,
    private readonly fields: FormFields | null,
    private readonly defaults: Readonly<Record<string, string>>,
    private readonly refusal: ProblemException | null,
  ) {
    this.sentSecrets = Object.entries(shape.secrets ?? {})
      .filter(([, name]) => this.isSent && this.text(name) !== '')
      .map(([pointer]) => ({ pointer, code: 'required', detail: SENT_SECRET }));
    for (const error of [...this.sentSecrets, ...this.errors]) {
      const field = this.fieldOf(error.pointer);
      const told = this.errorsByField.get(field);
      if (told) told.push(this.worded(error));
      else this.errorsByField.set(field, [this.worded(error)]);
    }
  }

  static blank(shape: FormShape, defaults: Readonly<Record<string, string>> = {}): FormState {
    return new FormState(shape, null, defaults, null);
  }

  /** Returns the form as it was sent, for a page that shows the result. */
  static sent(shape: FormShape, fields: FormFields): FormState {
    return new FormState(shape, fields, {}, null);
  }

  static refused(shape: FormShape, fields: FormFields, refusal: ProblemException): FormState {
    return new FormState(shape, fields, {}, refusal);
  }

  /** Whether it holds what somebody has entered and sent. */
  get isSent(): boolean {
    return this.fields !== null;
  }

  /** The status of the page: that of the refusal, otherwise 200. */
  get status(): number {
    return this.refusal?.getStatus() ?? 200;
  }

  /** The headers that the refusal requires. */
  get headers(): Record<string, string> {
    return this.refusal?.headers ?? {};
  }

  /** Returns the HTML id of the field that writes a pointer. It is unique within the page. */
  idOf(pointer: string): string {
    return this.shape.id + pointer.replaceAll('/', '-');
  }

  labelOf(pointer: string): string {
    return this.shape.labels[pointer] ?? pointer;
  }

  /** Returns the content of a field. */
  text(name: string): string {
    return this.fields ? this.fields.text(name) : (this.defaults[name] ?? '');
  }

  /** Returns the faults of the field that writes a pointer. */
  errorsAt(pointer: string): string[] {
    return this.errorsByField.get(pointer) ?? [];
  }

  /** Returns whether the field that writes a pointer is of a secret that was sent. */
  isSentSecret(pointer: string): boolean {
    return this.sentSecrets.some((error) => error.pointer === pointer);
  }

  /** All faults, for the top of the page: first those without a field, then in the order of the fields. */
  get faults(): Fault[] {
    if (!this.refusal) return [];
    const general = this.errors.length === 0 ? [{ detail: this.refusal.detail, anchor: null }] : [];
    return [...general, ...this.listed([...this.sentSecrets, ...this.errors])];
  }

  /** The secrets to enter again. They are among the faults if the form was refused. */
  get secretsToEnter(): Fault[] {
    return this.listed(this.sentSecrets);
  }

  private listed(errors: readonly FieldError[]): Fault[] {
    const order = new Map([null, ...Object.keys(this.shape.labels)].map((field, place) => [field, place]));
    return errors
      .map((error) => ({ error, field: this.fieldOf(error.pointer) }))
      .sort((a, b) => order.get(a.field)! - order.get(b.field)!)
      .map(({ error, field }) => ({ detail: this.worded(error), anchor: field === null ? null : this.idOf(field) }));
  }

  private get errors(): FieldError[] {
    return this.refusal?.errors ?? [];
  }

  /**
   * Returns the message of a fault with the label of the field, which people know. The API's messages start with the
   * name of the member, or leave it to the pointer.
   */
  private worded({ pointer = '', detail: given }: FieldError): string {
    // A rule for each element of a list applies to what people enter in its field.
    const detail = given.replace(/^each value in (?=\w)/, '');
    const field = this.fieldOf(pointer);
    const isBelow = field !== this.writerOf(pointer);
    // The message about an element of a list starts with the name of the list.
    const name = pointer.split('/').findLast((step) => step !== '' && detail.startsWith(`${step} `));
    if (name !== undefined) {
      const isOfField = !isBelow || field?.split('/').at(-1) === name;
      const words = faultWords(detail.slice(name.length + 1), this.shape.durations?.[pointer]);
      return `${isOfField ? this.labelOf(field ?? '') : name} ${words}`;
    }
    const words = faultWords(detail);
    return !isBelow && /^(must|has) /.test(words) ? `${this.labelOf(field ?? '')} ${words}` : words;
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
