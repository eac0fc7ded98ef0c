import { ParleyError } from '../errors';
import { writeForm } from '../form';
import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { FormFields, KeyedRequestOptions, ListFilter, Query, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';
import { KnowledgeBaseSources } from './knowledge-base-sources';

type FileForm = Schemas['KnowledgeBaseFileForm'];
type LinkForm = Schemas['KnowledgeBaseLinkForm'];

export class KnowledgeBases {
  /** The documents and links of a knowledge base. */
  readonly sources: KnowledgeBaseSources;

  constructor(private readonly requests: Requests) {
    this.sources = new KnowledgeBaseSources(requests);
  }

  list(
    filter: ListFilter<'listKnowledgeBases'> = {},
    options?: RequestOptions,
  ): List<Schemas['KnowledgeBaseDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/knowledge-base', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ _id }) => _id,
      filter.limit,
    );
  }

  /** Creates a knowledge base from a file or from links. @returns its id, which the API has in a header */
  async create(
    fields: FormFields<FileForm> | LinkForm,
    options?: KeyedRequestOptions,
  ): Promise<{ kb_id: string }> {
    const { response } = await this.requests.keyed(
      (api, init) =>
        api.POST('/api/knowledge-base', {
          ...('file' in fields ? writeForm(fields, 'document.txt') : { body: fields }),
          ...init,
        }),
      options,
    );
    const location = response.headers.get('location') ?? '';
    const id = new URLSearchParams(location.split('?')[1]).get('kb_id');
    if (id) return { kb_id: id };
    throw new ParleyError({
      status: response.status,
      code: 'INVALID_RESPONSE',
      message: 'The knowledge base was created, but the answer has no header Location with its id',
    });
  }

  async delete(kbId: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ kb_id: kbId });
    await this.requests.deletion(
      (api, init) => api.DELETE('/api/knowledge-base/{kb_id}', { params: { path }, ...init }),
      options,
    );
  }

  /** The passages that fit a query best. */
  search(
    kbId: string,
    query: Query<'searchKnowledgeBase'>,
    options?: RequestOptions,
  ): Promise<Schemas['FoundPassageDto'][]> {
    const path = checkPath({ kb_id: kbId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/knowledge-base/{kb_id}/search', { params: { path, query }, ...init }),
        options,
      ),
    );
  }

  assign(
    kbId: string,
    fields: Schemas['AssignKnowledgeBaseDto'],
    options?: RequestOptions,
  ): Promise<Schemas['AssignedKnowledgeBaseDto']> {
    const path = checkPath({ kb_id: kbId });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.POST('/api/agents/knowledge-bases/{kb_id}/assign', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  /** @returns the ids of the agents that no longer use it */
  unassign(
    kbId: string,
    fields: Schemas['AssignKnowledgeBaseDto'],
    options?: RequestOptions,
  ): Promise<string[]> {
    const path = checkPath({ kb_id: kbId });
    return unwrap(
      this.requests.safe(
        (api, init) =>
          api.POST('/api/agents/knowledge-bases/{kb_id}/unassign', {
            params: { path },
            body: fields,
            ...init,
          }),
        options,
      ),
    );
  }
}
