/** Encodes a number in four bytes, the highest first. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Returns bytes after their length, which takes two bytes, the highest first. */
export function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Encodes a text as UTF-8, with a byte of zero at its end. */
export function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
