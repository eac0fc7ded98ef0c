import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

/** Prompt templates, from which agents are created. */
export class Templates {
  constructor(private readonly requests: Requests) {}

  list(
    filter: ListFilter<'listPromptTemplates'> = {},
    options?: RequestOptions,
  ): List<Schemas['PromptTemplateSummaryDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/prompt-templates', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ template_id }) => template_id,
      filter.limit,
    );
  }

  get(templateId: string, options?: RequestOptions): Promise<Schemas['PromptTemplateDto']> {
    const path = checkPath({ template_id: templateId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/prompt-templates/{template_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }
}
