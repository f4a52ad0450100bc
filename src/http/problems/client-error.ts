import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { PROBLEMS, type ProblemCode } from './problem-codes.js';
import { toProblem } from './problem.js';

const CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

interface ClientError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

/** Answers requests that Node's parser rejects with a problem as well, then closes the connection. */
export function answerClientErrors(server: Server, publicUrl?: string): void {
  // Otherwise Node answers an unknown expectation with an empty 417. Ignoring it is equally valid (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: ClientError, socket: Socket & { _httpMessage?: ServerResponse }) => {
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy(error);
      return;
    }
    const code = CODES[error.code ?? ''] ?? 'invalid_request';
    const { status, title } = PROBLEMS[code];
    const requestId = randomUUID();
    const body = JSON.stringify(toProblem({ code, detail: `${title}.` }, { instance: '/', requestId, publicUrl }));
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      `Date: ${new Date().toUTCString()}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
    ];
    // A response to HEAD has no body. The method is only known if the rejected packet begins the request.
    const isHead = error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
    socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
  });
}
