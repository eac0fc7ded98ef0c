import { createUuid } from '../../../packages/client/src/uuid';
import { client } from './client';

/** Fetches a link anew as the content of a source, once for each Idempotency-Key. */
export const fetchSource = (
  kb_id: string,
  source_id: string,
  url: string | undefined,
  { key = createUuid(), signal }: { key?: string; signal?: AbortSignal } = {},
) =>
  client.PUT('/api/knowledge-base/{kb_id}/sources/{source_id}', {
    params: { path: { kb_id, source_id }, header: { 'Idempotency-Key': key } },
    body: { url },
    signal,
  });
