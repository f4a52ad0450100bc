import { Logger } from '@nestjs/common';
import { type ServerResponse } from 'node:http';
import { type EdgeRequest, loggedPathOf } from './edge-request.js';

/** Logs each request when it is answered, at level debug: without its query, which may hold what nobody should read. */
export function accessLog() {
  const logger = new Logger('http');
  return (request: EdgeRequest, response: ServerResponse, next: () => void): void => {
    const startedAt = performance.now();
    // By then a mounted router may have changed the path.
    const path = loggedPathOf(request);
    response.on('close', () => {
      const ms = (performance.now() - startedAt).toFixed(1);
      const status = response.writableFinished ? response.statusCode : 'broken off';
      logger.debug?.(`${request.method} ${path} ${status} ${ms} ms requestId=${request.requestId ?? ''}`);
    });
    next();
  };
}
