import { client } from '../../../api/client';
import { fetchSource } from '../../../api/fetch-source';
import { upload } from '../../../api/upload';

export interface NewSource {
  /** The links, if no file is sent. */
  file?: File;
  links: string[];
}

interface Options {
  /** The Idempotency-Key of the request. */
  key: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

function toForm(file: File): FormData {
  const form = new FormData();
  form.set('file', file);
  return form;
}

export async function addSource(
  id: string,
  { file, links }: NewSource,
  { key, signal, onProgress }: Options,
): Promise<void> {
  const header = { 'Idempotency-Key': key };
  if (file) {
    const path = `/api/knowledge-base/${id}/sources`;
    await upload(path, toForm(file), { headers: header, signal, onProgress });
    return;
  }
  await client.POST('/api/knowledge-base/{kb_id}/sources', {
    params: { path: { kb_id: id }, header },
    body: { urls: links },
    signal,
  });
}

export async function replaceSource(
  id: string,
  sourceId: string,
  { file, links: [url] }: NewSource,
  { key, signal, onProgress }: Options,
): Promise<void> {
  if (file) {
    const path = `/api/knowledge-base/${id}/sources/${sourceId}`;
    const headers = { 'Idempotency-Key': key };
    await upload(path, toForm(file), { method: 'PUT', headers, signal, onProgress });
    return;
  }
  await fetchSource(id, sourceId, url, { key, signal });
}
