import { allValues } from '../../../api/all-values';
import type { Schemas } from '../../../api/client';

type Call = Schemas['CallDto'];

export const STATUSES = allValues<Call['status']>({
  queued: true,
  accepted: true,
  connected: true,
  disconnected: true,
  failed: true,
});

export const REASONS = allValues<NonNullable<Call['disconnect_reason']>>({
  user_hangup: true,
  agent_hangup: true,
  call_transfer: true,
  voicemail_reached: true,
  inactivity: true,
  max_duration_reached: true,
  dial_busy: true,
  dial_no_answer: true,
  dial_failed: true,
  invalid_destination: true,
  cancelled: true,
  error: true,
  dispatch_failed: true,
  dispatch_expired: true,
  worker_lost: true,
});

export const DIRECTIONS = allValues<Call['direction']>({ outbound: true, inbound: true });

export const CALL_TYPES = allValues<Call['call_type']>({ phonecall: true, webcall: true });
