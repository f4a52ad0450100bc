import { type ComponentChildren } from 'preact';

export interface Row {
  key: string;
  /** As many as there are columns: the first says what the row is, the last what to do with it. */
  cells: readonly ComponentChildren[];
}

/** The headings of columns. */
export function TableHead({ columns }: { columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A table with a heading for each row; on narrow screens each row stands by itself, its cells under their headings. */
export function Table({
  caption,
  columns,
  rows,
  compact = false,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly Row[];
  /** The cells of a row speak for themselves: narrow screens show them one after the other. */
  compact?: boolean;
}) {
  return (
    <table class={compact ? 'table compact' : 'table'}>
      <caption class="hidden">{caption}</caption>
      <TableHead columns={columns} />
      <tbody>
        {rows.map(({ key, cells: [first, ...others] }) => (
          <tr key={key}>
            <th scope="row">{first}</th>
            {others.map((cell, at) => (
              <td key={columns[at + 1]} data-label={columns[at + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What stands where there is nothing yet: what it is for, and the first step. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
