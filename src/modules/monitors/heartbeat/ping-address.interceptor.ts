import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { mergeMap, type Observable } from 'rxjs';
import { grants, type Principal } from '../../../http/auth/principal.js';
import { type MonitorDto } from '../dto/monitor.dto.js';
import { MonitorsController } from '../monitors.controller.js';
import { PingAddressesService, withToken } from './ping-addresses.service.js';

type Shown = Pick<MonitorDto, 'id' | 'pingUrl'>;

/**
 * Completes `pingUrl` in responses about monitors, for callers who may write. It runs outside of what stores responses,
 * because the address is a secret.
 */
@Injectable()
export class PingAddressInterceptor implements NestInterceptor {
  constructor(private readonly addresses: PingAddressesService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { principal } = context.switchToHttp().getRequest<{ principal?: Principal }>();
    if (context.getClass() !== MonitorsController || !principal || !grants(principal.scopes, 'write')) {
      return next.handle();
    }
    return next.handle().pipe(mergeMap((answer: unknown) => this.complete(principal, answer)));
  }

  private async complete({ teamId }: Principal, answer: unknown): Promise<unknown> {
    const waiting = shownIn(answer).filter((monitor) => monitor.pingUrl != null);
    if (waiting.length === 0) return answer;
    const tokens = await this.addresses.tokens(
      teamId,
      waiting.map(({ id }) => id),
    );
    for (const monitor of waiting) monitor.pingUrl = withToken(monitor.pingUrl!, tokens.get(monitor.id));
    return answer;
  }
}

function shownIn(answer: unknown): Shown[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const { data } = answer as { data?: unknown };
  return Array.isArray(data) ? (data as Shown[]) : [answer as Shown];
}
