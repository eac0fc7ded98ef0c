import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Brackets } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { Database, type Transaction } from '../../platform/database/database';
import { type Page, readPage } from '../../platform/database/workspace.repository';
import { isStorableText } from '../../platform/validation/storable';
import { type NarrowPromptTemplate, PromptTemplate } from './prompt-template.entity';

type NewPromptTemplate = Omit<PromptTemplate, 'id' | 'workspaceId' | 'workspace' | 'createdAt'>;

/** The class is no WorkspaceRepository, because a workspace also reads the templates of the platform. */
@Injectable()
export class PromptTemplatesRepository {
  constructor(private readonly database: Database) {}

  async insert(
    workspaceId: string,
    values: NewPromptTemplate,
    { manager }: Transaction,
  ): Promise<PromptTemplate> {
    const template = manager.create(PromptTemplate, { id: uuidv7(), workspaceId, ...values });
    // TypeORM also copies the values that the database generated into `template`.
    await manager.insert(PromptTemplate, template);
    return template;
  }

  /** Lists the templates, newest first. */
  list(workspaceId: string, page: { page: number; limit: number }): Promise<Page<NarrowPromptTemplate>> {
    const newestFirst = this.selectVisible(workspaceId)
      .orderBy('template.createdAt', 'DESC')
      .addOrderBy('template.id', 'DESC');
    return readPage(newestFirst, page);
  }

  async find(workspaceId: string, id: string): Promise<PromptTemplate | null> {
    // The ids of the platform's templates are words, but not every text is one that Postgres accepts.
    if (!isStorableText(id)) return null;
    return this.selectVisible(workspaceId)
      .addSelect('template.prompt')
      .andWhere('template.id = :id', { id })
      .getOne();
  }

  /** @returns undefined if the workspace has no such template of its own */
  async delete(
    workspaceId: string,
    id: string,
    { manager }: Transaction,
  ): Promise<{ name: string } | undefined> {
    if (!isUUID(id)) return undefined;
    const deletion = manager.createQueryBuilder().delete().from(PromptTemplate).where({ workspaceId, id });
    const { raw } = (await deletion.returning('name').execute()) as { raw: { name: string }[] };
    return raw[0];
  }

  private selectVisible(workspaceId: string) {
    return this.database.manager
      .createQueryBuilder(PromptTemplate, 'template')
      .where(
        new Brackets((where) =>
          where
            .where('template.workspaceId = :workspaceId', { workspaceId })
            .orWhere('template.workspaceId IS NULL'),
        ),
      );
  }
}
