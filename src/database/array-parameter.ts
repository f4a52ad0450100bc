import { DAY_MS } from '../domain/durations.js';

/**
 * Encodes the columns of a batch as PostgreSQL arrays in binary format, which the driver sends unchanged. Numbers,
 * times and ids are not converted to text and back, which matters when thousands of rows are written per second. The
 * parameter must be cast to an array of exactly the type named here.
 */

/** 2000-01-01, the epoch of PostgreSQL's binary times and dates. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

type Column<T> = (values: readonly (T | null)[]) => Buffer;

/** `integer[]`. */
export const integers: Column<number> = column(23, 4, (into, value, at) => into.writeInt32BE(value, at));

/** `real[]`. */
export const reals: Column<number> = column(700, 4, (into, value, at) => into.writeFloatBE(value, at));

/** `double precision[]`. */
export const doubles: Column<number> = column(701, 8, (into, value, at) => into.writeDoubleBE(value, at));

/** `timestamptz[]`, of epoch milliseconds. */
export const times: Column<number> = column(1184, 8, (into, value, at) => {
  // Written in two halves, because a number represents all of these values exactly, and a bigint each would be garbage
  // to collect.
  const microseconds = Math.floor(value - EPOCH_MS) * 1_000;
  const high = Math.floor(microseconds / 2 ** 32);
  into.writeInt32BE(high, at);
  into.writeUInt32BE(microseconds - high * 2 ** 32, at + 4);
});

/** `date[]`, of `YYYY-MM-DD`. */
export const dates: Column<string> = column(1082, 4, (into, value, at) =>
  into.writeInt32BE((Date.parse(value) - EPOCH_MS) / DAY_MS, at),
);

/** `uuid[]`. */
export const uuids: Column<string> = column(2950, 16, (into, value, at) =>
  into.write(value.replaceAll('-', ''), at, 'hex'),
);

/** `text[]`. */
export function texts(values: readonly (string | null)[]): Buffer {
  return textColumn(25, values, '');
}

/** `jsonb[]`, of JSON texts. */
export function jsons(values: readonly (string | null)[]): Buffer {
  return textColumn(3802, values, JSONB_VERSION);
}

const JSONB_VERSION = '\x01';

/** Returns an encoder for a type whose values all have the same size. */
function column<T>(type: number, size: number, write: (into: Buffer, value: T, at: number) => void): Column<T> {
  return (values) => {
    const buffer = Buffer.allocUnsafe(HEAD_BYTES + values.length * (LENGTH_BYTES + size));
    let at = writeHead(buffer, type, values.length);
    for (const value of values) {
      at = buffer.writeInt32BE(value === null ? NULL_LENGTH : size, at);
      if (value === null) continue;
      write(buffer, value, at);
      at += size;
    }
    return buffer.subarray(0, at);
  };
}

function textColumn(type: number, values: readonly (string | null)[], before: string): Buffer {
  let most = HEAD_BYTES;
  // A UTF-16 code unit takes at most three bytes.
  for (const value of values) most += LENGTH_BYTES + 3 * (before.length + (value?.length ?? 0));
  const buffer = Buffer.allocUnsafe(most);
  let at = writeHead(buffer, type, values.length);
  for (const value of values) {
    const from = at + LENGTH_BYTES;
    const size = value === null ? 0 : buffer.write(before + value, from);
    buffer.writeInt32BE(value === null ? NULL_LENGTH : size, at);
    at = from + size;
  }
  return buffer.subarray(0, at);
}

/** Writes the header of an array of one dimension with lower bound 1. Returns where the values begin. */
function writeHead(buffer: Buffer, type: number, length: number): number {
  let at = buffer.writeInt32BE(1, 0);
  at = buffer.writeInt32BE(1, at);
  at = buffer.writeInt32BE(type, at);
  at = buffer.writeInt32BE(length, at);
  return buffer.writeInt32BE(1, at);
}
