import { type LoggerService } from '@nestjs/common';
import { type Logger, pino, stdSerializers } from 'pino';

/** Matches anything that starts like an API key, including mistyped keys. Only the public prefix may be logged. */
const API_KEY = /dw(?:_|%5f)[\w%-]{9,}/gi;

/** Returns the text with every API key cut to its public prefix. */
export const redact = (text: string): string => text.replace(API_KEY, (key) => `${key.slice(0, 11)}…`);

/** Contexts whose start-up messages concern only developers of this code. They are logged at level `debug`. */
const QUIET: ReadonlySet<unknown> = new Set([
  'InstanceLoader',
  'NestFactory',
  'NestApplication',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Implements Nest's logger with pino: one JSON object per line, on standard error. */
export class PinoLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(level: string) {
    this.pino = pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        redact: ['*.password', '*.token', '*.secret', '*.authorization', 'headers.authorization', 'headers.cookie'],
      },
      pino.destination({ dest: 2, sync: true }),
    );
  }

  log(message: unknown, ...parameters: unknown[]): void {
    this.write(QUIET.has(parameters.at(-1)) ? 'debug' : 'info', message, parameters);
  }

  error(message: unknown, ...parameters: unknown[]): void {
    this.write('error', message, parameters);
  }

  warn(message: unknown, ...parameters: unknown[]): void {
    this.write('warn', message, parameters);
  }

  debug(message: unknown, ...parameters: unknown[]): void {
    this.write('debug', message, parameters);
  }

  fatal(message: unknown, ...parameters: unknown[]): void {
    this.write('fatal', message, parameters);
  }

  /** Nest appends the context to the parameters of each call. */
  private write(level: 'info' | 'error' | 'warn' | 'debug' | 'fatal', message: unknown, parameters: unknown[]): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const context = parameters.findLast((one) => typeof one === 'string');
    const error = [message, ...parameters].find((one) => one instanceof Error);
    const fields = { ...(context !== undefined && { context }), ...(error && { err: plainError(error) }) };
    this.pino[level](fields, redact(message instanceof Error ? message.message : String(message)));
  }
}

/** Returns type, message and stack only, because errors of the database driver also carry queries with their values. */
function plainError(error: Error): { type: string; message: string; stack: string } {
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message: redact(message), stack: redact(stack) };
}
