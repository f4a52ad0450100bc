import { expect, it } from '@jest/globals';
import { BodyBuffer, MAX_BODY_BYTES } from './body-buffer.js';

const never = (): never => {
  throw new Error('discarded');
};

function fill(body: BodyBuffer, pieces: Iterable<Buffer>): Buffer {
  for (const piece of pieces) body.append(piece);
  return body.bytes();
}

it('stores pieces of any size, up to 1 MiB', () => {
  const bytes = Buffer.from(Array.from({ length: 3 * 1_024 }, (_, at) => at % 251));
  for (const size of [1, 7, 1_000, bytes.length]) {
    const body = new BodyBuffer(true, never);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    expect(fill(body, pieces).equals(bytes)).toBe(true);
    expect(body.isFull).toBe(false);
    body.release();
  }
  const large = new BodyBuffer(true, never);
  expect(fill(large, [Buffer.alloc(1_000_000, 'a'), Buffer.alloc(1_000_000, 'b')])).toHaveLength(MAX_BODY_BYTES);
  expect(large.isFull).toBe(true);
  large.release();
});

it('does not retain the memory of a whole read for a small part of it', () => {
  const read = Buffer.alloc(65_536);
  const body = new BodyBuffer(true, never);
  body.append(read.subarray(65_530));
  expect(body.bytes().buffer.byteLength).toBeLessThan(10_000);
  body.release();
});

it('counts bytes that it does not keep', () => {
  const body = new BodyBuffer(false, never);
  expect(fill(body, [Buffer.alloc(MAX_BODY_BYTES)])).toHaveLength(0);
  expect(body.isFull).toBe(true);
});

it('discards the oldest bodies if all of them take too much memory', () => {
  const givenUp: number[] = [];
  const bodies = Array.from({ length: 260 }, (_, at) => new BodyBuffer(true, () => givenUp.push(at)));
  for (const body of bodies) body.append(Buffer.alloc(MAX_BODY_BYTES));
  expect(givenUp).toEqual([0, 1, 2, 3]);
  for (const body of bodies) body.release();
  const next = new BodyBuffer(true, never);
  expect(fill(next, [Buffer.alloc(MAX_BODY_BYTES)])).toHaveLength(MAX_BODY_BYTES);
  next.release();
});
