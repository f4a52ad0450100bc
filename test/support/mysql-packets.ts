/** What each greeting of these servers asks to be proven. */
export const CHALLENGE = Buffer.from('abcdefghijklmnopqrst');
const TLS = 0x800;

/** Returns a packet with its sequence number. */
export function packet(sequence: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  const head = Buffer.alloc(4);
  head.writeUIntLE(bytes.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, bytes]);
}

/** Returns the greeting of a server with a method of authentication. */
export function greeting(plugin: string, { offersTls = false } = {}): Buffer {
  const flags = Buffer.alloc(2);
  flags.writeUInt16LE(offersTls ? 0xffff : 0xffff & ~TLS);
  return packet(
    0,
    Buffer.concat([
      Buffer.from('\x0a8.4.0\0'),
      Buffer.alloc(4),
      CHALLENGE.subarray(0, 8),
      Buffer.alloc(1),
      flags,
      Buffer.alloc(5),
      Buffer.from([21]),
      Buffer.alloc(10),
      CHALLENGE.subarray(8),
      Buffer.from(`\0${plugin}\0`),
    ]),
  );
}

export const OK = (sequence: number): Buffer => packet(sequence, Buffer.alloc(7));

export function failure(sequence: number, code: number): Buffer {
  const head = Buffer.from([0xff, code & 0xff, code >> 8]);
  return packet(sequence, Buffer.concat([head, Buffer.from('#28000secret text')]));
}

const END = (sequence: number): Buffer => packet(sequence, Buffer.from([0xfe, 0, 0, 0, 0]));

/** Returns the response to a statement: one column, and a row for each value. */
export function rows(...values: Buffer[]): Buffer {
  const sent = values.map((value, index) => packet(4 + index, value));
  return Buffer.concat([packet(1, Buffer.from([1])), packet(2, 'column'), END(3), ...sent, END(4 + values.length)]);
}

/** Returns a value of a row. */
export function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
}
