import { uint32 } from '../net/bytes.js';
import { ProbeFault } from '../net/probe-fault.js';

/** Encodes a `string`. */
export function text(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** Encodes a non-negative number, given in big-endian order, as `mpint`. */
export function mpint(number: Buffer): Buffer {
  let from = 0;
  while (from < number.length && number[from] === 0) from += 1;
  const significant = number.subarray(from);
  const isNegative = (significant[0] ?? 0) >= 0x80;
  return text(isNegative ? Buffer.concat([Buffer.alloc(1), significant]) : significant);
}

/** Decodes up to `most` values of type `string`, but at least `least`. @throws ProbeFault */
export function fields(bytes: Buffer, most: number, { least = most } = {}): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; found.length < most && at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  if (found.length < least) throw new ProbeFault('protocol_error', 'The server sent an invalid SSH message.');
  return found;
}
