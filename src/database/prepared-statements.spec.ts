import { describe, expect, it } from '@jest/globals';
import { PreparedStatements } from './prepared-statements.js';

const FEW = 4;

function nameAfter(uses: number, text: string, statements = new PreparedStatements()): string | undefined {
  for (let use = 0; use < uses; use += 1) statements.nameOf(text);
  return statements.nameOf(text);
}

describe('PreparedStatements', () => {
  it('names a statement once it is used often, and keeps the name', () => {
    const statements = new PreparedStatements();
    expect(nameAfter(FEW - 1, 'SELECT $1', statements)).toBeUndefined();
    const name = statements.nameOf('SELECT $1');
    expect(name).toEqual(expect.any(String));
    expect(statements.nameOf('SELECT $1')).toBe(name);
    expect(nameAfter(FEW, 'SELECT $2', statements)).not.toBe(name);
  });

  it.each(['SELECT c.* FROM c WHERE id = $1', 'SELECT * FROM c WHERE id = $1', 'DELETE FROM c RETURNING *'])(
    'does not name %s, whose columns a migration may change',
    (text) => expect(nameAfter(FEW, text)).toBeUndefined(),
  );

  it.each(['SELECT count(*) FROM c WHERE id = $1', 'SELECT $1::int * 2'])('names %s', (text) => {
    expect(nameAfter(FEW, text)).toBeDefined();
  });

  it('does not name long statements', () => {
    expect(nameAfter(FEW, `INSERT INTO c VALUES ($1) ${' '.repeat(10_000)}`)).toBeUndefined();
  });

  it('names at most 256 statements', () => {
    const statements = new PreparedStatements();
    for (let count = 0; count < 256; count += 1)
      expect(nameAfter(FEW, `SELECT $1, ${count}`, statements)).toBeDefined();
    expect(nameAfter(FEW, 'SELECT $1, 256', statements)).toBeUndefined();
    expect(statements.nameOf('SELECT $1, 0')).toBeDefined();
  });
});
