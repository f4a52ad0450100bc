/** An element of DER (X.690): its tag, its content, and all its bytes. */
export interface DerElement {
  tag: number;
  content: Buffer;
  bytes: Buffer;
}

export const SEQUENCE = 0x30;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OBJECT_ID = 0x06;
export const ENUMERATED = 0x0a;
export const GENERALIZED_TIME = 0x18;

/** Returns the tag of an element that is numbered by its place in a structure. */
export const numbered = (number: number, isConstructed = true): number => (isConstructed ? 0xa0 : 0x80) | number;

/** Thrown for bytes that are not what is expected. */
export class DerFault extends Error {}

/** Reads elements one after the other. */
export class DerReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** @throws DerFault */
  next(): DerElement {
    const from = this.at;
    const tag = this.byte();
    const length = this.length();
    const begin = this.at;
    if (begin + length > this.bytes.length) throw new DerFault('an element is longer than what contains it');
    this.at = begin + length;
    return { tag, content: this.bytes.subarray(begin, this.at), bytes: this.bytes.subarray(from, this.at) };
  }

  /** Returns the next element if it has this tag; null, and stays before it, if it has another one. */
  optional(tag: number): DerElement | null {
    return this.bytes[this.at] === tag ? this.next() : null;
  }

  /** @throws DerFault if the next element has another tag */
  expect(tag: number): DerElement {
    const element = this.next();
    if (element.tag !== tag) throw new DerFault(`an element has the tag ${element.tag} instead of ${tag}`);
    return element;
  }

  /** Returns a reader of the elements in the next one. */
  enter(tag: number = SEQUENCE): DerReader {
    return new DerReader(this.expect(tag).content);
  }

  private length(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    const count = first & 0x7f;
    // Nothing that a handshake carries is longer than 16 MiB.
    if (count === 0 || count > 3) throw new DerFault('the length of an element is not valid');
    let length = 0;
    for (let read = 0; read < count; read += 1) length = length * 256 + this.byte();
    return length;
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new DerFault('an element is incomplete');
    this.at += 1;
    return byte;
  }
}

/** Returns an object identifier as numbers with dots. */
export function objectId({ content }: DerElement): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (numbers.length === 0) {
      // It contains two numbers: 40 times the first one, which is at most 2, plus the second.
      const first = Math.min(2, Math.floor(value / 40));
      numbers.push(first, value - 40 * first);
    } else {
      numbers.push(value);
    }
    value = 0;
  }
  return numbers.join('.');
}

/** Returns a time in epoch milliseconds. */
export function generalizedTime({ content }: DerElement): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(content.toString('latin1'));
  if (!parts) throw new DerFault('a time is not valid');
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
