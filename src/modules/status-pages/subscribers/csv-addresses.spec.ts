import { describe, expect, it } from '@jest/globals';
import { csvAddresses } from './csv-addresses.js';

describe('csvAddresses', () => {
  it.each<[string, string, [number, string][]]>([
    ['returns nothing for an empty file', '', []],
    [
      'returns one address a line',
      'a@example.com\nb@example.com\n',
      [
        [1, 'a@example.com'],
        [2, 'b@example.com'],
      ],
    ],
    ['takes the column that the first row names', 'Name,Email\r\nJo,jo@example.com', [[2, 'jo@example.com']]],
    ['accepts semicolons and tabs', 'name;e-mail\nJo;jo@example.com', [[2, 'jo@example.com']]],
    ['skips empty lines and keeps their numbers', '\n\na@example.com', [[3, 'a@example.com']]],
    ['reads quoted cells', 'name,email\n"Doe, ""J""","j@example.com"', [[2, 'j@example.com']]],
    ['returns an empty text where the cell is missing', 'name,email\nJo', [[2, '']]],
    ['ignores a byte order mark', '\uFEFFemail\na@example.com', [[2, 'a@example.com']]],
  ])('%s', (_, csv, expected) => {
    expect(csvAddresses(csv).map(({ line, text }) => [line, text])).toEqual(expected);
  });
});
