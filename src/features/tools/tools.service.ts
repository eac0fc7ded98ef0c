import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Database, type Transaction } from '../../platform/database/database';
import { Created } from '../../platform/http/created';
import { validationFailed } from '../../platform/http/errors';
import { paginate } from '../../platform/http/pagination';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import type { ToolDefinition } from './tool-definition';
import { findToolProblems, mergeSecrets } from './tool-rules';
import type { Tool } from './tool.entity';
import type { ListToolsQuery, ToolDto, WriteToolDto } from './tools.dto';
import { toolNameTaken, toolNotFound } from './tools.errors';
import { presentTool } from './tools.presenter';
import { ToolsRepository } from './tools.repository';

/** Runs in the transaction that has changed or deleted a tool. */
export type ToolListener = (
  workspaceId: string,
  /** The names that the tool has and had. */
  names: string[],
  transaction: Transaction,
) => Promise<void>;

type ToolValues = Pick<Tool, 'name' | 'definition' | 'secrets'>;

@Injectable()
export class ToolsService {
  private readonly listeners: ToolListener[] = [];

  constructor(
    private readonly tools: ToolsRepository,
    private readonly quotas: QuotasService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  /** Registers a listener of a feature that refers to tools. This feature must not import it. */
  onChange(listener: ToolListener): void {
    this.listeners.push(listener);
  }

  async create(workspaceId: string, body: WriteToolDto): Promise<Created<ToolDto, Tool>> {
    const values = toValues(body);
    return this.write(body.name, () =>
      this.idempotency.transaction(async (transaction) => {
        await this.tools.lockAll(workspaceId, transaction);
        await this.quotas.assertWithinQuota(workspaceId, 'tools', transaction);
        const tool = await this.tools.insert(workspaceId, values, transaction);
        await this.tell(workspaceId, [tool.name], transaction);
        return new Created(presentTool(tool), `/api/tools/${tool.id}`, tool);
      }),
    );
  }

  async list(workspaceId: string, query: ListToolsQuery) {
    const { rows, total } = await this.tools.list(workspaceId, query);
    return paginate(rows.map(presentTool), query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, id: string): Promise<ToolDto> {
    return presentTool(await this.find(workspaceId, id));
  }

  /** Finds a tool with its secrets. @throws 404 */
  async find(workspaceId: string, id: string): Promise<Tool> {
    const tool = await this.tools.find(workspaceId, id);
    if (!tool) throw toolNotFound();
    return tool;
  }

  /** Replaces all of a tool but the secrets that are left out. @throws 404, 409, 400 */
  async replace(workspaceId: string, id: string, body: WriteToolDto): Promise<ToolDto> {
    return this.write(body.name, () =>
      this.database.transaction(async (transaction) => {
        await this.tools.lockAll(workspaceId, transaction);
        const tool = await this.tools.findLocked(workspaceId, id, transaction);
        if (!tool) throw toolNotFound();
        const next = toValues(body, tool.secrets);
        const changed = changedFields(tool, next);
        transaction.targetName = next.name;
        transaction.change = changed.length > 0 ? { changed } : null;
        if (changed.length === 0) return presentTool(tool);
        const names = [tool.name, next.name];
        Object.assign(tool, next);
        await this.tools.save(tool, transaction);
        // The secrets are no part of what versions of agents have.
        if (changed.some((field) => field !== 'secrets')) await this.tell(workspaceId, names, transaction);
        return presentTool(tool);
      }),
    );
  }

  /** @throws 404 */
  async remove(workspaceId: string, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.tools.lockAll(workspaceId, transaction);
      const tool = await this.tools.findLocked(workspaceId, id, transaction);
      if (!tool) throw toolNotFound();
      await this.tools.delete(tool, transaction);
      await this.tell(workspaceId, [tool.name], transaction);
      return tool;
    });
  }

  /** Locks the tools of the workspace, before any lock of an agent's row. */
  lock(workspaceId: string, transaction: Transaction): Promise<void> {
    return this.tools.lockAll(workspaceId, transaction);
  }

  private async tell(workspaceId: string, names: string[], transaction: Transaction): Promise<void> {
    for (const listener of this.listeners) await listener(workspaceId, [...new Set(names)], transaction);
  }

  private async write<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.tools.isNameConflict(error) ? toolNameTaken(name) : error;
    }
  }
}

/** @throws 400 */
function toValues(body: WriteToolDto, stored: Record<string, string> = {}): ToolValues {
  const definition = toDefinition(body);
  const merged = mergeSecrets(stored, body.secrets ?? {});
  if ('problems' in merged) throw validationFailed(merged.problems);
  const problems = findToolProblems(body.name, definition, merged.secrets);
  if (problems.length > 0) throw validationFailed(problems);
  return { name: body.name, definition, secrets: merged.secrets };
}

function toDefinition({ name: _, secrets: __, ...body }: WriteToolDto): ToolDefinition {
  const { kind = 'http', parameters = {}, method = 'POST', headers = {}, fixed = {}, results = [] } = body;
  const { effect = method === 'GET' ? 'read' : 'once', once_by = null, idempotent = false } = body;
  const { timeout_ms = 8_000, mode = 'wait', confirm = false, say = '', description, url } = body;
  return {
    ...{ kind, description, parameters, url, method, headers, fixed, effect, once_by, idempotent },
    ...{ timeout_ms, mode, confirm, say, results: results.map((result) => ({ ...result })) },
  };
}

/** The names of the fields that a change changes. */
function changedFields(before: ToolValues, after: ToolValues): string[] {
  const fields = ({ name, definition, secrets }: ToolValues): Record<string, unknown> => ({
    name,
    ...definition,
    secrets,
  });
  const [old, next] = [fields(before), fields(after)];
  return Object.keys(next).filter((field) => !isDeepStrictEqual(old[field], next[field]));
}
