import { createCallToken } from '../../../accounts/auth/call-token';
import { type Config, getPublicUrl } from '../../../config';
import type { ApiOfCall, Claimed } from '../../../platform/messaging/wire';

/** The longest time for which a call's own credential is valid. It also ends an hour after the call. */
export const CREDENTIAL_HOURS = 6;

const HOUR_MS = 3_600_000;

/** A call, or a rehearsal, that a runtime has claimed. */
export interface GrantedCall {
  id: string;
  token: string;
  acceptedAt: Date;
}

/**
 * The address and the credential with which the runtime of a claimed call uses the API, always the same for a
 * claim.
 */
const apiOfCall = ({ id, token, acceptedAt }: GrantedCall, config: Config): ApiOfCall => ({
  url: getPublicUrl(config),
  token: createCallToken(id, token),
  expires_at: new Date(acceptedAt.getTime() + CREDENTIAL_HOURS * HOUR_MS).toISOString(),
});

/** The part of the answer to a claim that its runtime goes on with. */
export const grantOf = (call: GrantedCall, config: Config): Omit<Claimed, 'conversation_id'> => ({
  token: call.token,
  lease_seconds: config.LEASE_SECONDS,
  heartbeat_seconds: config.HEARTBEAT_SECONDS,
  api: apiOfCall(call, config),
});
