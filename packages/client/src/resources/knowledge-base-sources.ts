import { writeForm } from '../form';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { FormFields, KeyedRequestOptions, RequestOptions, Schemas } from '../types';

type FileForm = FormFields<Schemas['UploadedSourceForm']>;

/** The form of a file, or the JSON of links. */
const writeBody = <Links extends object>(fields: FileForm | Links) =>
  'file' in fields ? writeForm(fields, 'document.txt') : { body: fields };

export class KnowledgeBaseSources {
  constructor(private readonly requests: Requests) {}

  /** Adds a file or links. */
  async add(
    kbId: string,
    fields: FileForm | Schemas['AddLinksForm'],
    options?: KeyedRequestOptions,
  ): Promise<Schemas['SourceDto'][]> {
    const path = checkPath({ kb_id: kbId });
    const { body } = await this.requests.keyed(
      (api, init) =>
        api.POST('/api/knowledge-base/{kb_id}/sources', {
          params: { path },
          ...writeBody(fields),
          ...init,
        }),
      options,
    );
    return body.data;
  }

  /** Replaces the content of a source by a file or a link; with an empty object, its link is fetched again. */
  async replace(
    kbId: string,
    sourceId: string,
    fields: FileForm | Schemas['ReplaceLinkForm'],
    options?: KeyedRequestOptions,
  ): Promise<Schemas['SourceDto']> {
    const path = checkPath({ kb_id: kbId, source_id: sourceId });
    const { body } = await this.requests.keyed(
      (api, init) =>
        api.PUT('/api/knowledge-base/{kb_id}/sources/{source_id}', {
          params: { path },
          ...writeBody(fields),
          ...init,
        }),
      options,
    );
    return body.data;
  }

  async delete(kbId: string, sourceId: string, options?: RequestOptions): Promise<void> {
    const path = checkPath({ kb_id: kbId, source_id: sourceId });
    await this.requests.deletion(
      (api, init) =>
        api.DELETE('/api/knowledge-base/{kb_id}/sources/{source_id}', { params: { path }, ...init }),
      options,
    );
  }
}
