import { createCallToken } from '../../../accounts/auth/call-token';
import { type Config, getPublicUrl } from '../../../config';
import type { ApiOfCall } from '../../../platform/messaging/wire';

/** The longest time for which a call's own credential is valid. It also ends an hour after the call. */
export const CREDENTIAL_HOURS = 6;

const HOUR_MS = 3_600_000;

/**
 * The address and the credential with which the runtime of a claimed call uses the API, always the same for a
 * claim.
 */
export const apiOfCall = (
  { id, token, acceptedAt }: { id: string; token: string; acceptedAt: Date },
  config: Config,
): ApiOfCall => ({
  url: getPublicUrl(config),
  token: createCallToken(id, token),
  expires_at: new Date(acceptedAt.getTime() + CREDENTIAL_HOURS * HOUR_MS).toISOString(),
});
