import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Database, type Transaction } from '../../platform/database/database';
import { Created } from '../../platform/http/created';
import { validationFailed } from '../../platform/http/errors';
import { paginate } from '../../platform/http/pagination';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { type DescribedTool, McpClient } from './mcp-client';
import { compareTool, pickTools } from './mcp-tools';
import { DEFAULT_TIMEOUT_MS, type ToolDefinition } from './tool-definition';
import { fillHeaders } from './tool-headers';
import { ToolPlaces } from './tool-places';
import { findKindProblems, findToolProblems, mergeSecrets } from './tool-rules';
import type { Tool } from './tool.entity';
import type { DiscoveredToolDto, ListToolsQuery, ToolDto, WriteToolDto } from './tools.dto';
import { toolNameTaken, toolNotFound, toolServerUnavailable, toolWithoutServer } from './tools.errors';
import { presentTool } from './tools.presenter';
import { ToolsRepository } from './tools.repository';

/** Runs in the transaction that has changed or deleted a tool. */
export type ToolListener = (
  workspaceId: string,
  /** The names that the tool has and had. */
  names: string[],
  transaction: Transaction,
) => Promise<void>;

/** The time within which a server has to list its tools. */
const DISCOVERY_MS = 10_000;

/** The tools of a server that are shown. */
const MAX_DISCOVERED = 200;

export type ToolValues = Pick<Tool, 'name' | 'definition' | 'secrets'>;

@Injectable()
export class ToolsService {
  private readonly listeners: ToolListener[] = [];

  constructor(
    private readonly tools: ToolsRepository,
    private readonly servers: McpClient,
    private readonly places: ToolPlaces,
    private readonly quotas: QuotasService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  /** Registers a listener of a feature that refers to tools. This feature must not import it. */
  onChange(listener: ToolListener): void {
    this.listeners.push(listener);
  }

  async create(workspaceId: string, body: WriteToolDto): Promise<Created<ToolDto, Tool>> {
    const values = await this.toValues(workspaceId, body, {});
    return this.write(body.name, () =>
      this.idempotency.transaction(async (transaction) => {
        const tool = await this.insert(workspaceId, values, transaction);
        return new Created(presentTool(tool), `/api/tools/${tool.id}`, tool);
      }),
    );
  }

  /** Stores a new tool. @throws 403 */
  async insert(workspaceId: string, values: ToolValues, transaction: Transaction): Promise<Tool> {
    await this.tools.lockAll(workspaceId, transaction);
    await this.quotas.assertWithinQuota(workspaceId, 'tools', transaction);
    const tool = await this.tools.insert(workspaceId, values, transaction);
    await this.tell(workspaceId, [tool.name], transaction);
    return tool;
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

  /** Replaces all of a tool but the secrets that are left out. @throws 404, 409, 400, 422, 429 */
  async replace(workspaceId: string, id: string, body: WriteToolDto): Promise<ToolDto> {
    const { secrets } = await this.find(workspaceId, id);
    const next = await this.toValues(workspaceId, body, secrets);
    return this.write(body.name, () =>
      this.database.transaction(async (transaction) => {
        const tool = await this.lockOne(workspaceId, id, transaction);
        // Another request may have changed the secrets while a server was asked for its tools.
        const secrets = mergeGiven(tool.secrets, body);
        return presentTool(await this.change(tool, { ...next, secrets }, transaction));
      }),
    );
  }

  /** Gives a tool that the transaction has locked other values. */
  async change(tool: Tool, next: ToolValues, transaction: Transaction): Promise<Tool> {
    const changed = changedFields(tool, next);
    transaction.targetName = next.name;
    transaction.change = changed.length > 0 ? { changed } : null;
    if (changed.length === 0) return tool;
    const names = [tool.name, next.name];
    Object.assign(tool, next);
    await this.tools.save(tool, transaction);
    // The secrets are no part of what versions of agents have.
    if (changed.some((field) => field !== 'secrets')) await this.tell(tool.workspaceId, names, transaction);
    return tool;
  }

  /**
   * Asks the server of a tool for what it has now, beside what is pinned. It changes nothing.
   * @throws 404, 400 if the tool has no server, 422, 429
   */
  async discover(workspaceId: string, id: string): Promise<DiscoveredToolDto[]> {
    const { definition, secrets } = await this.find(workspaceId, id);
    if (definition.kind !== 'mcp') throw toolWithoutServer();
    const found = await this.listServerTools(workspaceId, definition, secrets);
    return found.slice(0, MAX_DISCOVERED).map((tool) => compareTool(tool, definition));
  }

  /** @throws 404 */
  async remove(workspaceId: string, id: string): Promise<void> {
    await this.database.transaction(async (transaction) =>
      this.delete(await this.lockOne(workspaceId, id, transaction), transaction),
    );
  }

  /** Deletes a tool that the transaction has locked. */
  async delete(tool: Tool, transaction: Transaction): Promise<Tool> {
    await this.tools.delete(tool, transaction);
    await this.tell(tool.workspaceId, [tool.name], transaction);
    return tool;
  }

  /** Locks the tools of the workspace until the transaction ends, and finds one of them. @throws 404 */
  async lockOne(workspaceId: string, id: string, transaction: Transaction): Promise<Tool> {
    await this.tools.lockAll(workspaceId, transaction);
    const tool = await this.tools.findLocked(workspaceId, id, transaction);
    if (!tool) throw toolNotFound();
    return tool;
  }

  /** Locks the tools of the workspace, before any lock of an agent's row. */
  lock(workspaceId: string, transaction: Transaction): Promise<void> {
    return this.tools.lockAll(workspaceId, transaction);
  }

  /**
   * Reads what a request makes of a tool. It asks the server of one of the kind mcp, so it runs in no transaction then.
   * @param stored the secrets that the tool has
   * @throws 400, 422, 429
   */
  async toValues(
    workspaceId: string,
    body: WriteToolDto,
    stored: Record<string, string>,
  ): Promise<ToolValues> {
    const { name } = body;
    const secrets = mergeGiven(stored, body);
    const definition = toDefinition(body);
    const problems = [...findKindProblems(body), ...findToolProblems(name, definition, secrets)];
    // The parameters of a server's tools are not known yet.
    const isDiscovered = definition.kind === 'http';
    const known = problems.filter(({ field }) => isDiscovered || !field.startsWith('body.once_by'));
    if (known.length > 0) throw validationFailed(known);
    if (isDiscovered) return { name, definition, secrets };
    const found = await this.listServerTools(workspaceId, definition, secrets);
    const picked = pickTools(name, body.tools ?? [], found);
    if ('problems' in picked) throw validationFailed(picked.problems);
    const pinned = { ...definition, tools: picked.tools };
    const later = findToolProblems(name, pinned, secrets);
    if (later.length > 0) throw validationFailed(later);
    return { name, definition: pinned, secrets };
  }

  /** @throws 422, 429 */
  private async listServerTools(
    workspaceId: string,
    { url, headers }: ToolDefinition,
    secrets: Record<string, string>,
  ): Promise<DescribedTool[]> {
    const release = this.places.enter(workspaceId);
    try {
      const getHeaders = () => fillHeaders(headers, secrets);
      const found = await this.servers.listTools({ url, getHeaders }, DISCOVERY_MS);
      if ('wasSent' in found) throw toolServerUnavailable(found.message);
      return found;
    } finally {
      release();
    }
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
function mergeGiven(stored: Record<string, string>, body: WriteToolDto): Record<string, string> {
  const merged = mergeSecrets(stored, body.secrets ?? {});
  if ('problems' in merged) throw validationFailed(merged.problems);
  return merged.secrets;
}

/** The definition of a tool with its defaults. A tool of a server has none of its tools yet. */
export function toDefinition({ name: _, secrets: __, tools: ___, ...body }: WriteToolDto): ToolDefinition {
  const { kind = 'http', parameters = {}, method = 'POST', headers = {}, fixed = {}, results = [] } = body;
  const { once_by = null, timeout_ms = DEFAULT_TIMEOUT_MS, mode = 'wait', confirm = false, say = '' } = body;
  const common = {
    ...{
      description: body.description,
      url: body.url,
      headers,
      fixed,
      once_by,
      timeout_ms,
      mode,
      confirm,
      say,
    },
    results: results.map((result) => ({ ...result })),
  };
  if (kind === 'mcp') {
    const { effect = null, idempotent = null } = body;
    return { kind, ...common, effect, idempotent, tools: [] };
  }
  const { effect = method === 'GET' ? 'read' : 'once', idempotent = false } = body;
  return { kind, ...common, parameters, method, effect, idempotent };
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
