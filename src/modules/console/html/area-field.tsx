import { type FieldProps, Labelled } from './fields.js';

interface AreaFieldProps extends FieldProps {
  rows?: number;
  required?: boolean;
  /** For programs: shown as it is, letter by letter. */
  isCode?: boolean;
}

const CODE = { class: 'mono', spellcheck: false };
const PROSE = { dir: 'auto' } as const;

/** Text of several lines. */
export function AreaField({ rows = 3, required = false, isCode = false, ...field }: AreaFieldProps) {
  return (
    <Labelled field={field}>
      {(control) => (
        <textarea {...control} rows={rows} required={required} {...(isCode ? CODE : PROSE)}>
          {/* The line break after the tag is not part of the text: without it, one that begins with a break would lose it. */}
          {`\n${field.form.text(control.name)}`}
        </textarea>
      )}
    </Labelled>
  );
}
