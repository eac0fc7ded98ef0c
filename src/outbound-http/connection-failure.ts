import { errors as undiciErrors } from 'undici';
import { PrivateAddressError } from './public-address';

/** Why an address that somebody else wrote gave no answer. */
export interface ConnectionFailure {
  /** What is wrong with it, as a sentence to follow its name. */
  reason: string;
  /** Whether it may be otherwise later. */
  mayPass: boolean;
}

const passing = (reason: string): ConnectionFailure => ({ reason, mayPass: true });
const lasting = (reason: string): ConnectionFailure => ({ reason, mayPass: false });

const CUT_OFF = passing('it closes the connection before its answer is complete');
const UNREACHABLE = passing('its host can not be reached');
const SELF_SIGNED = lasting('its certificate is signed by nobody who is known');

const BY_CODE: Record<string, ConnectionFailure> = {
  ENOTFOUND: lasting('its host is not known'),
  EAI_AGAIN: passing('its host can not be looked up'),
  ECONNREFUSED: passing('its host refuses the connection'),
  EHOSTDOWN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ECONNRESET: CUT_OFF,
  EPIPE: CUT_OFF,
  UND_ERR_SOCKET: CUT_OFF,
  UND_ERR_HEADERS_OVERFLOW: lasting('the header of its answer is too long'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: lasting('its answer does not have the length that it says'),
  CERT_HAS_EXPIRED: lasting('its certificate has expired'),
  ERR_TLS_CERT_ALTNAME_INVALID: lasting('its certificate is for another host'),
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: SELF_SIGNED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: SELF_SIGNED,
};

const isTimeout = (error: unknown) =>
  error instanceof undiciErrors.ConnectTimeoutError ||
  error instanceof undiciErrors.HeadersTimeoutError ||
  error instanceof undiciErrors.BodyTimeoutError ||
  (error as { code?: unknown }).code === 'ETIMEDOUT';

/**
 * @param limit what broke the request off when its time was over
 * @returns null for an error that is none of a connection, and so would be ours
 */
export function connectionFailureOf(
  error: unknown,
  limit: { signal: AbortSignal; timeoutMs: number },
): ConnectionFailure | null {
  if (limit.signal.aborted || isTimeout(error)) {
    return passing(`it does not answer within ${limit.timeoutMs / 1_000} seconds`);
  }
  if (error instanceof PrivateAddressError) return lasting(error.message);
  if (error instanceof undiciErrors.HTTPParserError) return lasting('it does not speak HTTP');
  const { code } = error as { code?: unknown };
  // Sockets, TLS and undici give their errors a code.
  if (typeof code !== 'string') return null;
  return BY_CODE[code] ?? lasting(`it can not be reached (${code})`);
}
