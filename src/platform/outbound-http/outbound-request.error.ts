import { errors as undiciErrors } from 'undici';

/** A request to a URL that a user named has failed. The message is shown to users and says why, after "because". */
export class OutboundRequestError extends Error {
  /** @param isTemporary whether the same request may succeed later */
  constructor(
    reason: string,
    readonly isTemporary = false,
  ) {
    super(reason);
  }
}

export class PrivateAddressError extends OutboundRequestError {
  constructor() {
    super('it leads to a private address');
  }
}

export const answersWithStatus = (status: number) => `it answers with status ${status}`;

interface Failure {
  reason: string;
  isTemporary: boolean;
}

const temporary = (reason: string): Failure => ({ reason, isTemporary: true });
const permanent = (reason: string): Failure => ({ reason, isTemporary: false });

const CONNECTION_LOST = temporary('it closes the connection before its answer is complete');
const UNREACHABLE = temporary('its host cannot be reached');
const UNTRUSTED = permanent('its certificate is not signed by a trusted authority');

const BY_CODE: Record<string, Failure> = {
  ENOTFOUND: permanent('its host is not known'),
  EAI_AGAIN: temporary('its host cannot be looked up'),
  ECONNREFUSED: temporary('its host refuses the connection'),
  EHOSTDOWN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ECONNRESET: CONNECTION_LOST,
  EPIPE: CONNECTION_LOST,
  UND_ERR_SOCKET: CONNECTION_LOST,
  UND_ERR_HEADERS_OVERFLOW: permanent('the header of its answer is too long'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: permanent('its answer does not have the declared length'),
  CERT_HAS_EXPIRED: permanent('its certificate has expired'),
  ERR_TLS_CERT_ALTNAME_INVALID: permanent('its certificate is for another host'),
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

const isTimeout = (error: unknown) =>
  error instanceof undiciErrors.ConnectTimeoutError ||
  error instanceof undiciErrors.HeadersTimeoutError ||
  error instanceof undiciErrors.BodyTimeoutError ||
  (error as { code?: unknown }).code === 'ETIMEDOUT';

function toFailure(error: unknown, limit: { signal: AbortSignal; timeoutMs: number }): Failure | null {
  if (limit.signal.aborted || isTimeout(error)) {
    return temporary(`it does not answer within ${limit.timeoutMs / 1_000} seconds`);
  }
  if (error instanceof undiciErrors.HTTPParserError) return permanent('its answer is not valid HTTP');
  const { code } = error as { code?: unknown };
  // The errors of sockets, TLS and undici have a code.
  if (typeof code !== 'string') return null;
  return BY_CODE[code] ?? permanent(`it cannot be reached (${code})`);
}

/**
 * Says why a request has failed, in words for users.
 * @param limit aborts the request when its time is over
 * @returns null for an error of another kind, such as a defect of this server
 */
export function toOutboundRequestError(
  error: unknown,
  limit: { signal: AbortSignal; timeoutMs: number },
): OutboundRequestError | null {
  if (error instanceof OutboundRequestError) return error;
  const failure = toFailure(error, limit);
  return failure && new OutboundRequestError(failure.reason, failure.isTemporary);
}
