import { type FieldProps, Labelled } from './fields.js';

interface AreaFieldProps extends FieldProps {
  rows?: number;
  required?: boolean;
  /** Whether the text is for programs. It is shown in a monospaced font, without spell checking. */
  isCode?: boolean;
  /** Whether the text is never sent back to the browser. */
  isSecret?: boolean;
}

const CODE = { class: 'mono', spellcheck: false };
const PROSE = { dir: 'auto' } as const;

/** A field for text of several lines. */
export function AreaField({ rows = 3, required = false, isCode = false, isSecret = false, ...field }: AreaFieldProps) {
  return (
    <Labelled field={field}>
      {(control) => (
        <textarea {...control} rows={rows} required={required} {...(isCode ? CODE : PROSE)}>
          {/* HTML ignores a line break after the tag. Without this one, a text would lose a leading line break. */}
          {`\n${isSecret ? '' : field.form.text(control.name)}`}
        </textarea>
      )}
    </Labelled>
  );
}
