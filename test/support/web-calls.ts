import type { ApiClient } from './client';
import { until } from './until';

interface StartedCall {
  conversation_id: string;
  join: { url: string } | null;
}

/**
 * The address at which the person of a web call joins it. A runtime on a busy machine may be ready only after the answer.
 * @param started the answer to the start of the call
 */
export function readJoinUrl(
  api: ApiClient,
  { conversation_id, join }: StartedCall,
  timeoutMs?: number,
): Promise<string> {
  return until(async () => {
    if (join) return join.url;
    const { body } = await api.get(`/api/calls/${conversation_id}`);
    const call = body.data as { status: string; join?: { url: string } | null };
    if (call.status === 'failed') throw new Error('No runtime took the web call.');
    return call.join?.url;
  }, timeoutMs);
}
