import { Logger } from '@nestjs/common';
import { type ServerResponse } from 'node:http';
import { type EdgeRequest, loggedPathOf } from './edge-request.js';

/** Logs each request at level debug once it is answered, without its query, which may contain confidential data. */
export function accessLog() {
  const logger = new Logger('http');
  return (request: EdgeRequest, response: ServerResponse, next: () => void): void => {
    const startedAt = performance.now();
    // A mounted router may have changed the path by the time the response closes.
    const path = loggedPathOf(request);
    response.on('close', () => {
      const ms = (performance.now() - startedAt).toFixed(1);
      const status = response.writableFinished ? response.statusCode : 'aborted';
      logger.debug?.(`${request.method} ${path} ${status} ${ms} ms requestId=${request.requestId ?? ''}`);
    });
    next();
  };
}
