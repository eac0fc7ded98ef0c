import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Brackets, Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { PageQuery } from '../http/pagination';
import { isStorableText } from '../validation/storable';
import { pageOf } from '../database/workspace-scoped.repository';
import { QuotasService } from '../workspaces/quotas.service';
import { promptTemplateNotFound } from './agents.errors';
import { PromptTemplate } from './prompt-template.entity';
import type { CreatePromptTemplateDto } from './prompt-templates.dto';
import { presentPromptTemplate, presentTemplateSummary } from './prompt-templates.presenter';

/** Not behind the scoped repository, because a workspace also reads the platform's rows. */
@Injectable()
export class PromptTemplatesService {
  constructor(
    @InjectRepository(PromptTemplate) private readonly rows: Repository<PromptTemplate>,
    private readonly quotas: QuotasService,
  ) {}

  async create(workspaceId: string, body: CreatePromptTemplateDto) {
    const { dynamic_variables: dynamicVariables, ...rest } = body;
    const row = { id: uuidv7(), workspaceId, ...rest, dynamicVariables };
    return presentPromptTemplate(
      await this.quotas.creating(workspaceId, 'prompt_templates', ({ manager }) =>
        manager.save(PromptTemplate, row),
      ),
    );
  }

  list(workspaceId: string, page: PageQuery) {
    const newestFirst = this.visibleTo(workspaceId)
      .orderBy('template.createdAt', 'DESC')
      .addOrderBy('template.id', 'DESC');
    return pageOf(newestFirst, page, presentTemplateSummary);
  }

  async get(workspaceId: string, id: string) {
    return presentPromptTemplate(await this.find(workspaceId, id));
  }

  /** @throws 404 */
  async find(workspaceId: string, id: string): Promise<PromptTemplate> {
    // Postgres refuses what is no text.
    if (!isStorableText(id)) throw promptTemplateNotFound();
    const template = await this.visibleTo(workspaceId)
      .addSelect('template.prompt')
      .andWhere('template.id = :id', { id })
      .getOne();
    if (!template) throw promptTemplateNotFound();
    return template;
  }

  async remove(workspaceId: string, id: string): Promise<void> {
    // The ids of a workspace's templates are UUIDs, the platform's are words.
    if (!isUUID(id)) throw promptTemplateNotFound();
    const { affected } = await this.rows.delete({ workspaceId, id });
    if (affected !== 1) throw promptTemplateNotFound();
  }

  private visibleTo(workspaceId: string) {
    return this.rows
      .createQueryBuilder('template')
      .where(
        new Brackets((where) =>
          where
            .where('template.workspaceId = :workspaceId', { workspaceId })
            .orWhere('template.workspaceId IS NULL'),
        ),
      );
  }
}
