import { randomUUID } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { type EdgeRequest } from './edge-request.js';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Uses a well-formed `X-Request-Id` of the request, or else creates one, and always returns it. */
export function requestId(request: EdgeRequest, response: ServerResponse, next: () => void): void {
  const given = request.headers['x-request-id'];
  request.requestId = typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', request.requestId);
  next();
}
