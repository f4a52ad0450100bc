import { type FieldProps, Labelled } from './fields.js';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface ZoneFieldProps extends FieldProps {
  /** Nobody has chosen one yet: a script may put the reader's own there. */
  isOpen?: boolean;
}

/** A time zone by its IANA name, with those that there are to choose from. At most one on a page. */
export function ZoneField({ isOpen = false, ...field }: ZoneFieldProps) {
  return (
    <Labelled field={field}>
      {(control) => (
        <>
          <input
            {...control}
            list="zones"
            autocomplete="off"
            value={field.form.text(control.name)}
            data-own-zone={isOpen || undefined}
          />
          <datalist id="zones">
            {ZONES.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Labelled>
  );
}
