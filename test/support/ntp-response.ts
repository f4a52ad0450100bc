const NTP_EPOCH_S = 2_208_988_800;

export interface NtpAnswer {
  leap?: number;
  stratum?: number;
  aheadMs?: number;
  code?: string;
}

/** Returns a response to a request, by a clock that is ahead of ours by this much. */
export function ntpResponse(
  request: Buffer,
  { leap = 0, stratum = 2, aheadMs = 0, code = '' }: NtpAnswer = {},
  nowMs = Date.now(),
): Buffer {
  const response = Buffer.alloc(48);
  response[0] = (leap << 6) | (4 << 3) | 4;
  response[1] = stratum;
  response.write(code, 12, 'latin1');
  request.copy(response, 24, 40, 48);
  const seconds = (nowMs + aheadMs) / 1_000 + NTP_EPOCH_S;
  for (const at of [32, 40]) {
    response.writeUInt32BE(Math.floor(seconds) % 2 ** 32, at);
    response.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4);
  }
  return response;
}
