import { IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import { hostProblem } from './host.rules.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';

/** The fields of a type that connects to a host. */
class HostFields {
  /**
   * Host name or IP address.
   * @example "service.example.com"
   */
  @IsString()
  @Rule('invalid_value', hostProblem, 'host')
  host: string;
}

/** The fields of a type that connects to a port of a host, which has to be named. */
export class PortFields extends HostFields {
  /**
   * Port, 1 to 65,535.
   * @example 8443
   */
  @IsInt()
  @Min(1)
  @Max(65_535)
  port: number;
}

/** The fields of a type that connects to a port, which has to be named, and may use TLS. */
export class SecurePortFields extends PortFields {
  /**
   * Whether a certificate must be trusted, not expired, and issued for the host, if the connection uses TLS.
   * @example true
   */
  @MayBeLeftOut()
  @IsBoolean()
  verifyTls?: boolean;
}

/** The fields of a type whose protocol has a usual port. */
export class EndpointFields extends HostFields {
  /** Port, 1 to 65,535. The default is the usual port of the protocol. */
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(65_535)
  port?: number;
}

/** The fields of a type whose protocol has a usual port, and which may use TLS. */
export class SecureEndpointFields extends EndpointFields {
  /**
   * Whether a certificate must be trusted, not expired, and issued for the host, if the connection uses TLS.
   * @example true
   */
  @MayBeLeftOut()
  @IsBoolean()
  verifyTls?: boolean;
}
