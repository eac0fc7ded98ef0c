import { client, sendOnce } from './client';

/** Fetches a link anew as the content of a source. Each request does so, and thus none is repeated. */
export const fetchSource = (
  kb_id: string,
  source_id: string,
  url: string | undefined,
  signal?: AbortSignal,
) =>
  client.PUT('/api/knowledge-base/{kb_id}/sources/{source_id}', {
    params: { path: { kb_id, source_id } },
    body: { url },
    signal,
    fetch: sendOnce,
  });
