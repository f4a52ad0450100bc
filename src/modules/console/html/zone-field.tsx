import { type FieldProps, Labelled } from './fields.js';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface ZoneFieldProps extends FieldProps {
  /** Whether nobody has chosen a zone yet, so that a script may fill in the reader's own. */
  isOpen?: boolean;
}

/** A field for the IANA name of a time zone, with suggestions. At most one per page. */
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
