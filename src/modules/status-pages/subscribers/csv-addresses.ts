import { LINE_BREAK } from '../../../http/body/max-lines.decorator.js';

/** The first cell of a row that holds an address, with the number of its line, from 1. */
export interface CsvAddress {
  line: number;
  text: string;
}

/**
 * Returns the addresses in a CSV file (RFC 4180): those of the column `email`, if the first row names one, and otherwise
 * of the first column. Empty lines are skipped. A quoted cell must not contain line breaks.
 */
export function csvAddresses(csv: string): CsvAddress[] {
  const rows = csv
    .replace(/^\uFEFF/, '')
    .split(LINE_BREAK)
    .map((text, index) => ({ line: index + 1, cells: cellsOf(text) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const named = rows[0]?.cells.findIndex((cell) => /^e-?mail( address)?$/i.test(cell)) ?? -1;
  const column = Math.max(0, named);
  return rows.slice(named === -1 ? 0 : 1).map(({ line, cells }) => ({ line, text: cells[column] ?? '' }));
}

/** Returns the cells of a line. Semicolons and tabs separate as well, because spreadsheets write them. */
function cellsOf(text: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '"' && isQuoted && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === ',' || character === ';' || character === '\t')) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
}
