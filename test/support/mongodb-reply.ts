import { type BsonDocument, encode } from '../../src/probes/mongodb/bson.js';

const OP_MSG = 2013;

/** Returns the reply to a request. */
export function mongodbReply(request: Buffer, document: BsonDocument): Buffer {
  const body = Buffer.concat([Buffer.alloc(5), encode(document)]);
  const head = Buffer.alloc(16);
  for (const [index, value] of [16 + body.length, 1, request.readInt32LE(4), OP_MSG].entries()) {
    head.writeInt32LE(value, 4 * index);
  }
  return Buffer.concat([head, body]);
}
