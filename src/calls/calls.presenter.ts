import type { StartedCallDto } from './calls.dto';

export const presentStarted = (id: string): StartedCallDto => ({
  conversation_id: id,
  call_status: 'queued',
});
