import { cString } from '../net/bytes.js';
import { ProbeFault } from '../net/probe-fault.js';

/** What a document (https://bsonspec.org) contains here; other types are read as texts. */
export type BsonValue = string | number | boolean | null | Buffer | BsonValue[] | { [name: string]: BsonValue };
export type BsonDocument = Record<string, BsonValue>;

const MAX_DEPTH = 32;
const DOUBLE = 1;
const STRING = 2;
const DOCUMENT = 3;
const ARRAY = 4;
const BINARY = 5;
const BOOLEAN = 8;
const NULL = 10;
const INT32 = 16;

/** Encodes a document. Integers of up to 32 bits are written as such, other numbers as double. */
export function encode(document: BsonDocument): Buffer {
  const elements = Object.entries(document).map(([name, value]) => {
    const [type, content] = element(value);
    return Buffer.concat([Buffer.from([type]), cString(name), content]);
  });
  const body = Buffer.concat([...elements, Buffer.alloc(1)]);
  return Buffer.concat([int32(body.length + 4), body]);
}

function element(value: BsonValue): [type: number, content: Buffer] {
  if (value === null) return [NULL, Buffer.alloc(0)];
  if (Buffer.isBuffer(value)) return [BINARY, Buffer.concat([int32(value.length), Buffer.alloc(1), value])];
  if (Array.isArray(value)) return [ARRAY, encode(Object.fromEntries(value.entries()))];
  if (typeof value === 'boolean') return [BOOLEAN, Buffer.from([Number(value)])];
  if (typeof value === 'number') return number(value);
  if (typeof value === 'object') return [DOCUMENT, encode(value)];
  const text = cString(value);
  return [STRING, Buffer.concat([int32(text.length), text])];
}

function number(value: number): [type: number, content: Buffer] {
  // Integers have no negative zero.
  if (Object.is(value, value | 0)) return [INT32, int32(value)];
  const content = Buffer.alloc(8);
  content.writeDoubleLE(value);
  return [DOUBLE, content];
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** Decodes a document. @throws ProbeFault */
export function decode(bytes: Buffer): BsonDocument {
  try {
    return Object.fromEntries(elementsOf(bytes, MAX_DEPTH));
  } catch (error) {
    if (error instanceof ProbeFault) throw error;
    // An offset beyond the end.
    throw notBson();
  }
}

function elementsOf(bytes: Buffer, depth: number): [string, BsonValue][] {
  if (depth === 0 || bytes.readInt32LE(0) !== bytes.length) throw notBson();
  const found: [string, BsonValue][] = [];
  for (let at = 4; bytes[at] !== 0;) {
    const type = bytes.readUInt8(at);
    const nameEnd = bytes.indexOf(0, at + 1);
    if (nameEnd < 0) throw notBson();
    const start = nameEnd + 1;
    const end = start + sizeOf(type, bytes, start);
    if (end < start || end >= bytes.length) throw notBson();
    found.push([bytes.toString('utf8', at + 1, nameEnd), valueOf(type, bytes.subarray(start, end), depth)]);
    at = end;
  }
  return found;
}

/** The sizes of values of a fixed size. */
const FIXED = new Map([
  [DOUBLE, 8],
  [6, 0],
  [7, 12],
  [BOOLEAN, 1],
  [9, 8],
  [NULL, 0],
  [INT32, 4],
  [17, 8],
  [18, 8],
  [19, 16],
  [127, 0],
  [255, 0],
]);

function sizeOf(type: number, bytes: Buffer, at: number): number {
  const fixed = FIXED.get(type);
  if (fixed !== undefined) return fixed;
  switch (type) {
    case DOCUMENT:
    case ARRAY:
    case 15:
      return bytes.readUInt32LE(at);
    case STRING:
    case 13:
    case 14:
      return 4 + bytes.readUInt32LE(at);
    case BINARY:
      return 5 + bytes.readUInt32LE(at);
    case 11: {
      const options = bytes.indexOf(0, at) + 1;
      return bytes.indexOf(0, options) + 1 - at;
    }
    default:
      throw notBson();
  }
}

function valueOf(type: number, content: Buffer, depth: number): BsonValue {
  switch (type) {
    case DOUBLE:
      return content.readDoubleLE();
    case STRING:
      return content.toString('utf8', 4, content.length - 1);
    case DOCUMENT:
      return Object.fromEntries(elementsOf(content, depth - 1));
    case ARRAY:
      return elementsOf(content, depth - 1).map(([, value]) => value);
    case BINARY:
      return content.subarray(5);
    case BOOLEAN:
      return content[0] === 1;
    case 6:
    case NULL:
      return null;
    case 9:
      return dateText(content.readBigInt64LE());
    case INT32:
      return content.readInt32LE();
    case 17:
    case 18:
      return Number(content.readBigInt64LE());
    default:
      return content.toString('hex');
  }
}

/** Returns a date in ISO 8601 or, beyond what JavaScript can represent, its milliseconds since 1970. */
function dateText(ms: bigint): string {
  const date = new Date(Number(ms));
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

function notBson(): ProbeFault {
  return new ProbeFault('protocol_error', 'The server does not speak the MongoDB protocol.');
}
