import { Injectable } from '@nestjs/common';
import { type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { CursorCodec, type CursorScope, type CursorValue, invalidCursor, type ListParameters } from './cursor.js';

/** A column of an order: the SQL of its value, the type to compare a cursor as, and the value of a row. */
export interface OrderColumn<Row> {
  sql: string;
  cast: 'timestamptz' | 'text' | 'uuid' | 'int' | 'bigint';
  of: (row: Row) => CursorValue;
}

/** A total order of rows. The values of the last column are unique. */
export class RowOrder<Row> {
  constructor(
    readonly columns: readonly OrderColumn<Row>[],
    private readonly direction: 'ASC' | 'DESC' = 'DESC',
  ) {}

  /**
   * Restricts a query to the `count` rows after the position `after`, or to the first ones if it is null.
   * @throws 400 `invalid_cursor` for a position in another order
   */
  apply<Q extends ObjectLiteral>(query: SelectQueryBuilder<Q>, after: readonly CursorValue[] | null, count: number) {
    for (const { sql } of this.columns) query.addOrderBy(sql, this.direction);
    if (after) {
      // A cursor of an earlier version, whose order had other columns.
      if (after.length !== this.columns.length) throw invalidCursor();
      const sides = this.columns.map(({ sql, cast }, at) => [sql, `:after${at}::${cast}`]);
      const [left, right] = [0, 1].map((side) => sides.map((pair) => pair[side]).join(', '));
      const values = Object.fromEntries(after.map((value, at) => [`after${at}`, value]));
      query.andWhere(`(${left}) ${this.direction === 'ASC' ? '>' : '<'} (${right})`, values);
    }
    return query.limit(count);
  }

  keyOf(row: Row): CursorValue[] {
    return this.columns.map((column) => column.of(row));
  }
}

/** The order of most lists: by a time, newest first, then by id. `alias` is that of the table in the query. */
export function newestFirst<Row extends { id: string }>(
  alias: string,
  column: string,
  of: (row: Row) => Date,
): RowOrder<Row> {
  return new RowOrder([
    { sql: `${alias}.${column}`, cast: 'timestamptz', of: (row) => of(row).toISOString() },
    { sql: `${alias}.id`, cast: 'uuid', of: (row) => row.id },
  ]);
}

export interface ListRead<Filters, Row> {
  /** Reads the first `count` matching rows after the position `after`. */
  read: (filters: Filters, after: CursorValue[] | null, count: number) => Promise<Row[]>;
  /** Returns the position of a row in the order. */
  keyOf: (row: Row) => CursorValue[];
  /** Filters that apply if the first page sets none. Sent again with a cursor, they do not conflict with it. */
  defaults?: Partial<Filters>;
}

/** A page of rows. `filters` are those of the first page, whatever this request contains. */
export interface RowPage<Filters, Row> {
  rows: Row[];
  filters: Filters;
  nextCursor: string | null;
}

/** Reads lists page by page. A cursor contains the start of the next page and the filters of the first one. */
@Injectable()
export class KeysetLists {
  constructor(private readonly cursors: CursorCodec) {}

  /**
   * Reads a page of a list. `given` contains the filters and the sort of this request, undefined if absent.
   * @throws 400 `invalid_cursor` for a cursor of another list or team, or with other filters
   */
  async page<Filters extends ListParameters, Row>(
    scope: CursorScope,
    { cursor, limit }: { cursor?: string; limit: number },
    given: Filters,
    { read, keyOf, defaults = {} }: ListRead<Filters, Row>,
  ): Promise<RowPage<Filters, Row>> {
    const opened = cursor === undefined ? null : this.cursors.open(scope, cursor, given);
    const filters = opened?.params ?? withDefaults(given, defaults);
    // Reads one row more than requested, which shows whether there is a next page.
    const found = await read(filters, opened?.after ?? null, limit + 1);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    const isMore = found.length > limit && last !== undefined;
    return {
      rows,
      filters,
      nextCursor: isMore ? this.cursors.seal(scope, { params: filters, after: keyOf(last) }) : null,
    };
  }
}

function withDefaults<Filters extends ListParameters>(given: Filters, defaults: Partial<Filters>): Filters {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(named) } as Filters;
}
