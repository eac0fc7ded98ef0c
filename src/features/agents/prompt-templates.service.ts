import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { type PageQuery, paginate } from '../../platform/http/pagination';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { promptTemplateNotFound } from './agents.errors';
import type { PromptTemplate } from './prompt-template.entity';
import type { CreatePromptTemplateDto } from './prompt-templates.dto';
import { presentPromptTemplate, presentTemplateSummary } from './prompt-templates.presenter';
import { PromptTemplatesRepository } from './prompt-templates.repository';

@Injectable()
export class PromptTemplatesService {
  constructor(
    private readonly templates: PromptTemplatesRepository,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  async create(workspaceId: string, body: CreatePromptTemplateDto) {
    const { dynamic_variables: dynamicVariables, ...rest } = body;
    const template = await this.quotas.createWithinQuota(workspaceId, 'prompt_templates', (transaction) =>
      this.templates.insert(workspaceId, { ...rest, dynamicVariables }, transaction),
    );
    return presentPromptTemplate(template);
  }

  async list(workspaceId: string, page: PageQuery) {
    const { rows, total } = await this.templates.list(workspaceId, page);
    return paginate(rows.map(presentTemplateSummary), page, total);
  }

  async get(workspaceId: string, id: string) {
    return presentPromptTemplate(await this.find(workspaceId, id));
  }

  /** @throws 404 */
  async find(workspaceId: string, id: string): Promise<PromptTemplate> {
    const template = await this.templates.find(workspaceId, id);
    if (!template) throw promptTemplateNotFound();
    return template;
  }

  /** @throws 404, also for a template of the platform */
  async remove(workspaceId: string, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const deleted = await this.templates.delete(workspaceId, id, transaction);
      if (!deleted) throw promptTemplateNotFound();
      return deleted;
    });
  }
}
