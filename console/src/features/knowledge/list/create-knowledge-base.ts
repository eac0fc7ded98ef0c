import { client, type Schemas } from '../../../api/client';
import { upload } from '../../../api/upload';

export interface NewKnowledgeBase {
  name: string;
  description: string;
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

/** @returns the id of the knowledge base, from the Location header */
export async function createKnowledgeBase(base: NewKnowledgeBase, options: Options): Promise<string> {
  const { name, description, file, links } = base;
  const { key, signal, onProgress } = options;
  if (file) {
    const form = new FormData();
    form.set('name', name);
    if (description) form.set('description', description);
    form.set('file', file);
    const headers = { 'Idempotency-Key': key };
    return readId(await upload('/api/knowledge-base', form, { headers, signal, onProgress }));
  }
  const [baseUrl = '', ...urls] = links;
  const body: Schemas['KnowledgeBaseLinkForm'] = { name, baseUrl, urls, type: 'link' };
  const { response } = await client.POST('/api/knowledge-base', {
    params: { header: { 'Idempotency-Key': key } },
    body: description ? { ...body, description } : body,
    signal,
  });
  return readId(response);
}

const readId = ({ headers }: Response) =>
  new URLSearchParams((headers.get('Location') ?? '').split('?')[1]).get('kb_id') ?? '';
