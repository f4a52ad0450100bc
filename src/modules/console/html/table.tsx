import { type ComponentChildren } from 'preact';

export interface Row {
  key: string;
  /** One per column: the first names the subject of the row, the last contains its actions. */
  cells: readonly ComponentChildren[];
}

/** The column headings of a table. `before` is shown before the first one. */
export function TableHead({ columns, before }: { columns: readonly string[]; before?: ComponentChildren }) {
  return (
    <thead>
      <tr>
        {columns.map((column, at) => (
          <th key={column} scope="col">
            {at === 0 && before}
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/**
 * A table with a heading per row. On narrow screens each row becomes a block, with every cell below its column heading.
 */
export function Table({
  caption,
  columns,
  rows,
  compact = false,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly Row[];
  /** Whether cells are clear without headings. Narrow screens then show them one after the other. */
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

/** The placeholder of an empty list: its purpose, and the first step. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
