import { Injectable } from '@nestjs/common';
import { type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { CursorCodec, type CursorScope, type CursorValue, type ListParameters } from './cursor.js';

/** One column of an order: the SQL of its value, the type to compare a cursor as, and the value of a row. */
export interface OrderColumn<Row> {
  sql: string;
  cast: 'timestamptz' | 'text' | 'uuid' | 'int';
  of: (row: Row) => CursorValue;
}

/** A total order of rows: the last column is unique. */
export class RowOrder<Row> {
  constructor(
    private readonly columns: readonly OrderColumn<Row>[],
    private readonly direction: 'ASC' | 'DESC' = 'DESC',
  ) {}

  /** Restricts a query to the `count` rows that follow `after`, which is where a cursor stands; null: to the first ones. */
  apply<Q extends ObjectLiteral>(query: SelectQueryBuilder<Q>, after: readonly CursorValue[] | null, count: number) {
    for (const { sql } of this.columns) query.addOrderBy(sql, this.direction);
    if (after) {
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

/** The order of most lists: by a time, the latest first, and by id among equals. `alias`: of the table in the query. */
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
  /** Reads the first `count` rows that fit, of those after `after`, where a cursor stands. */
  read: (filters: Filters, after: CursorValue[] | null, count: number) => Promise<Row[]>;
  /** Where a row stands in the order. */
  keyOf: (row: Row) => CursorValue[];
  /** Filters that hold where the first page names none: sent again with a cursor, they are the same. */
  defaults?: Partial<Filters>;
}

/** A page as it was read. `filters` are those of the first page, whatever this request says. */
export interface RowPage<Filters, Row> {
  rows: Row[];
  filters: Filters;
  nextCursor: string | null;
}

/** Reads lists page by page. A cursor says where the next page starts, and carries the filters of the first one. */
@Injectable()
export class KeysetLists {
  constructor(private readonly cursors: CursorCodec) {}

  /**
   * Reads a page of a list. `given`: filters and sort of this request, absent ones undefined.
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
    // One more than asked for tells whether there is a next page.
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
