import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_BYTES = 13;
const INDEXED = 3;
/** Pages have few colours; most others are antialiasing, where small differences are invisible. */
const COLOURS = 128;
/** Squared distance over the channels below which a colour is replaced by one of the palette. */
const ALIKE = 400;
/**
 * Number of the most frequent colours that are kept: backgrounds and lines, which are similar and cover most of a page.
 */
const KEPT = 16;

/** Reduces a PNG of Chromium (8 bits per channel, not interlaced) to at most 128 colours and a fraction of its size. */
export function smallPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)];
  const header = chunks.find(({ type }) => type === 'IHDR')!.data;
  const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const pixels = unfiltered(inflateSync(Buffer.concat(packed)), width * channels, height, channels);
  const counts = new Map<number, number>();
  const colourAt = (at: number): number => pixels.readUIntBE(at, 3);
  for (let at = 0; at < pixels.length; at += channels) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
  const byUse = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  const palette = paletteOf(byUse);
  const places = new Map(byUse.map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = places.get(colourAt((y * width + x) * channels))!;
    }
  }
  const indexed = Buffer.from(header.subarray(0, HEADER_BYTES));
  indexed[9] = INDEXED;
  const colours = Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', indexed),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function* chunksOf(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Reverses the filter of each line (PNG specification, section 9.2). */
function unfiltered(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : out[at - channels]!;
      const up = y === 0 ? 0 : out[at - stride]!;
      const corner = x < channels || y === 0 ? 0 : out[at - stride - channels]!;
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
      out[at] = raw[y * (stride + 1) + 1 + x]! + added;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/**
 * Returns the most frequent colours, without those similar to one of them, so that there is room for the colours of the
 * small state marks.
 */
function paletteOf(byUse: readonly number[]): number[] {
  const palette: number[] = [];
  for (const colour of byUse) {
    if (palette.length === COLOURS) break;
    if (palette.length < KEPT || palette.every((one) => distance(one, colour) > ALIKE)) palette.push(colour);
  }
  return palette;
}

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((one) => distance(one, colour));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
}
