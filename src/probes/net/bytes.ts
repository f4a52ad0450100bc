/** Encodes a number in four bytes, the highest first. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a text as UTF-8, with a byte of zero at its end. */
export function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
