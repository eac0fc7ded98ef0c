import { Injectable } from '@nestjs/common';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import { outOfScope } from '../../accounts/auth/auth.errors';
import { Database, type Transaction } from '../../platform/database/database';
import { type Caller, mayAdminister } from '../../platform/http/access';
import { atPath } from '../../platform/http/at-path';
import { ApiError, type FieldError, validationFailed } from '../../platform/http/errors';
import { paginate } from '../../platform/http/pagination';
import { AgentsService } from '../agents/agents.service';
import { KnowledgeBaseService } from '../knowledge-base/knowledge-base.service';
import type { ToolValues } from '../tools/tools.service';
import { AgentCode } from './agent-code';
import {
  type CodeAction,
  type CodeKind,
  type CodeName,
  findSlugProblems,
  splitSlug,
  toKey,
} from './code-kinds';
import type { Applying, CodeOfKind, KnowledgeByName } from './code-of-kind';
import type {
  AgentDefinitionDto,
  ApplyCodeDto,
  AppliedCodeDto,
  CodeChangeDto,
  CodeResourceDto,
  ListCodeQuery,
} from './code.dto';
import { codeDrifted } from './code.errors';
import { CodeRepository, type LocatedResource, type StoredResource } from './code.repository';
import { type Definition, listChangedFields, toRevision } from './definition';
import { RehearsalCode } from './rehearsal-code';
import { type GivenTool, hasServer, ToolCode } from './tool-code';

/** A resource of a request, whose definition is valid by itself. */
interface Wanted extends CodeName {
  path: string;
  base: string | null;
  /** null: it is to be deleted */
  given: unknown;
}

/** A resource that is compared with its definition, and the change that makes it so. */
interface Planned extends Wanted {
  located: LocatedResource | undefined;
  action: CodeAction;
  fields: string[];
  /** The revisions before and after. null: it does not exist */
  before: string | null;
  after: string | null;
  hasDrifted: boolean;
}

/**
 * The order of the changes. Deletions come first within a kind, because they make room. Tools come before agents: a
 * change of a tool locks rows of agents, and all others lock these before what belongs to agents.
 */
const STEPS: [CodeKind, CodeAction[]][] = [
  ['tool', ['delete']],
  ['tool', ['create', 'update']],
  ['rehearsal', ['delete']],
  ['agent', ['delete']],
  ['agent', ['create', 'update']],
  ['rehearsal', ['create', 'update']],
];

const DONE: Record<CodeAction, string> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  none: '',
};

/** Reads agents, rehearsals and tools as files have them, and makes them as files say. */
@Injectable()
export class CodeService {
  private readonly kinds: Record<CodeKind, CodeOfKind<unknown, unknown>>;

  constructor(
    private readonly resources: CodeRepository,
    private readonly agents: AgentsService,
    private readonly knowledgeBases: KnowledgeBaseService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
    agent: AgentCode,
    rehearsal: RehearsalCode,
    private readonly tools: ToolCode,
  ) {
    this.kinds = { agent, rehearsal, tool: tools };
  }

  async list(workspaceId: string, query: ListCodeQuery) {
    const { rows, total } = await this.resources.list(workspaceId, query);
    const shown: CodeResourceDto[] = [];
    for (const row of rows) {
      shown.push(this.present(row));
      await othersTurn();
    }
    return paginate(shown, query, total);
  }

  /**
   * Makes resources as their definitions say: all of them, or none.
   * @throws 400, 403, 409, 422, 429
   */
  async apply(caller: Caller, { dry_run: isDry, resources }: ApplyCodeDto): Promise<AppliedCodeDto> {
    const isAdministrator = mayAdminister(caller);
    if (!isDry && !isAdministrator) throw outOfScope();
    const { workspaceId } = caller;
    const wanted = await this.read(resources);
    const found = await this.locate(workspaceId, wanted);
    if (wanted.some((each) => each.kind === 'agent' && each.given !== null && !found.has(toKey(each))))
      await this.agents.assertSubscribed(workspaceId);
    const discovered = isDry ? NOTHING : await this.discover(workspaceId, wanted, found);
    const options = { isDry, discovered, comparesSecrets: isAdministrator };
    if (!isDry)
      return this.idempotency.transaction((transaction) => this.run(caller, wanted, options, transaction));
    const answer = await this.database.rehearse((transaction) =>
      this.run(caller, wanted, options, transaction),
    );
    return this.idempotency.transaction((transaction) => {
      transaction.change = null;
      return Promise.resolve(answer);
    });
  }

  /** @throws 400 on all definitions that are not valid */
  private async read(resources: CodeChangeDto[]): Promise<Wanted[]> {
    const problems = findSlugProblems(resources, 'body.resources');
    if (problems.length > 0) throw validationFailed(problems);
    const wanted: Wanted[] = [];
    for (const [index, { kind, slug, base, definition }] of resources.entries()) {
      const path = `body.resources.${index}`;
      try {
        const given =
          definition && (await atPath(`${path}.definition`, () => this.kinds[kind].read(slug, definition)));
        wanted.push({ kind, slug, path, base, given });
      } catch (error) {
        problems.push(...findErrors(error));
      }
      await othersTurn();
    }
    if (problems.length > 0) throw validationFailed(problems);
    return wanted;
  }

  /** The values of the tools of servers that change, which are asked before the transaction. */
  private async discover(
    workspaceId: string,
    wanted: Wanted[],
    located: Map<string, LocatedResource>,
  ): Promise<Map<string, ToolValues>> {
    const discovered = new Map<string, ToolValues>();
    for (const each of wanted) {
      if (each.kind !== 'tool' || each.given === null || !hasServer(each.given as GivenTool)) continue;
      const found = located.get(toKey(each));
      const { action, hasDrifted } = await this.plan(workspaceId, each, found, { comparesSecrets: true });
      if (action === 'none' || hasDrifted) continue;
      const values = await atPath(`${each.path}.definition`, () =>
        this.tools.discover(workspaceId, each.given as GivenTool, found),
      );
      discovered.set(each.slug, values);
    }
    return discovered;
  }

  private async run(
    { workspaceId, userId }: Caller,
    wanted: Wanted[],
    options: { isDry: boolean; discovered: ReadonlyMap<string, ToolValues>; comparesSecrets: boolean },
    transaction: Transaction,
  ): Promise<AppliedCodeDto> {
    const { isDry, discovered, comparesSecrets } = options;
    const located = await this.lock(workspaceId, wanted, transaction);
    const knowledge = await this.findKnowledge(workspaceId, wanted, transaction);
    const planned: Planned[] = [];
    for (const each of wanted) {
      const found = located.get(toKey(each));
      const context = { comparesSecrets, knowledge, transaction };
      const plan = await this.plan(workspaceId, each, found, context);
      const isUnknown = plan.action !== 'none' && needsServer(plan) && !isDry && !discovered.has(each.slug);
      planned.push(isUnknown ? { ...plan, hasDrifted: true } : plan);
    }
    const drifted = planned.filter(({ hasDrifted }) => hasDrifted);
    if (drifted.length > 0 && !isDry) throw codeDrifted(drifted.map(toDriftError));
    const changing = planned.filter(({ hasDrifted }) => !hasDrifted);
    const agentIds = new Map(
      [...located.values()].filter(({ kind }) => kind === 'agent').map(({ slug, id }) => [slug, id]),
    );
    const applying = { workspaceId, userId, transaction, knowledge, agentIds, discovered };
    for (const [kind, actions] of STEPS) {
      for (const each of changing) {
        if (each.kind !== kind || !actions.includes(each.action)) continue;
        // A dry run sends nothing to other systems.
        if (isDry && needsServer(each)) continue;
        await this.change(each, applying);
      }
    }
    noteChanges(changing, transaction);
    return {
      changes: changing.map(({ kind, slug, action, fields, after }) => ({
        ...{ kind, slug, action, fields, revision: after },
      })),
      drift: drifted.map(({ kind, slug, base, before }) => ({ kind, slug, base, revision: before })),
    };
  }

  /**
   * Locks all that the definitions are compared with until the transaction ends: first the workspace, then the rows of
   * agents, in the order of their ids. All transactions that lock several agents use this order.
   */
  private async lock(
    workspaceId: string,
    wanted: Wanted[],
    transaction: Transaction,
  ): Promise<Map<string, LocatedResource>> {
    await this.agents.lockAll(workspaceId, transaction);
    const before = await this.locate(workspaceId, wanted, transaction);
    const ids = [...before.values()].flatMap(({ agentId }) => agentId ?? []);
    await this.agents.lockSome(workspaceId, [...new Set(ids)], transaction);
    // An agent may have been deleted while this waited.
    return this.locate(workspaceId, wanted, transaction);
  }

  private async locate(
    workspaceId: string,
    wanted: Wanted[],
    transaction?: Transaction,
  ): Promise<Map<string, LocatedResource>> {
    const found = await this.resources.locate(workspaceId, wanted, transaction);
    return new Map(found.map((each) => [toKey(each), each]));
  }

  private async findKnowledge(
    workspaceId: string,
    wanted: Wanted[],
    transaction: Transaction,
  ): Promise<KnowledgeByName> {
    const names = wanted.flatMap(({ kind, given }) =>
      kind === 'agent' && given !== null ? ((given as AgentDefinitionDto).knowledge ?? []) : [],
    );
    return this.knowledgeBases.findByNames(workspaceId, [...new Set(names)], transaction);
  }

  /** Compares a resource with its definition. @throws 400 */
  private async plan(
    workspaceId: string,
    wanted: Wanted,
    located: LocatedResource | undefined,
    {
      comparesSecrets,
      knowledge = new Map(),
      transaction,
    }: { comparesSecrets: boolean; knowledge?: KnowledgeByName; transaction?: Transaction },
  ): Promise<Planned> {
    const { kind, given, base, path } = wanted;
    const code = this.kinds[kind];
    const content = located && (await this.resources.read(workspaceId, located, transaction));
    const before = content ? code.describe(content) : null;
    const after =
      given === null ? null : await atPath(`${path}.definition`, () => code.describeGiven(given, knowledge));
    const fields = before && after ? listChangedFields(before, after) : Object.keys(after ?? {});
    if (kind === 'tool' && located && comparesSecrets && before && after && !fields.includes('secrets')) {
      const isOther = await this.tools.hasOtherSecrets(located, given as GivenTool, workspaceId, transaction);
      if (isOther) fields.push('secrets');
    }
    const revisions = { before: before && toRevision(before), after: after && toRevision(after) };
    const action = findAction(before, after, fields);
    const hasDrifted = action !== 'none' && base !== revisions.before;
    return { ...wanted, located, action, fields, ...revisions, hasDrifted };
  }

  /** Changes a resource as its own operations do, and notes that for the audit. @throws 400, 403 */
  private async change(planned: Planned, applying: Applying): Promise<void> {
    const { kind, slug, action, given, located, path } = planned;
    const { transaction, agentIds } = applying;
    const { agent } = splitSlug(slug);
    if (kind === 'rehearsal' && !agentIds.has(agent))
      throw validationFailed([
        { field: `${path}.slug`, message: `the workspace has no agent ${agent} then` },
      ]);
    const code = this.kinds[kind];
    transaction.change = {};
    const { id, name, details } = await atPath(`${path}.definition`, async () => {
      if (!located) return code.create(slug, given, applying);
      return given === null ? code.delete(located, applying) : code.change(located, given, applying);
    });
    const change = transaction.change as Transaction['change'];
    if (!change) return;
    const isNew = action === 'create';
    transaction.parts.push({
      ...{ action: `${kind}.${DONE[action]}`, id, name },
      details: { ...(isNew && details), ...change },
    });
  }

  private present({ kind, slug, id, content, updatedAt, updatedBy }: StoredResource): CodeResourceDto {
    const definition = this.kinds[kind].describe(content);
    const revision = toRevision(definition);
    return { kind, slug, id, revision, definition, updated_at: updatedAt, updated_by: updatedBy };
  }
}

const NOTHING: ReadonlyMap<string, ToolValues> = new Map();

/** Whether the server of a tool has to be asked before the tool is stored. */
const needsServer = ({ kind, given }: Wanted) =>
  kind === 'tool' && given !== null && hasServer(given as GivenTool);

function findAction(before: Definition | null, after: Definition | null, fields: string[]): CodeAction {
  if (!before) return after ? 'create' : 'none';
  if (!after) return 'delete';
  return fields.length > 0 ? 'update' : 'none';
}

/** The errors of a definition that is not valid. @throws other errors */
function findErrors(error: unknown): FieldError[] {
  if (error instanceof ApiError && error.errorCode === 'VALIDATION_FAILED' && error.members.errors)
    return error.members.errors;
  throw error;
}

const toDriftError = ({ kind, slug, path, before }: Planned): FieldError => ({
  field: `${path}.base`,
  message: `the ${kind} ${slug} ${before === null ? 'does not exist' : `has the revision ${before}`} now`,
});

/** The audit has one entry of the request, with the numbers of its changes, beside those of the resources. */
function noteChanges(changed: Planned[], transaction: Transaction): void {
  const count = (wanted: CodeAction) => changed.filter(({ action }) => action === wanted).length;
  const counts = { created: count('create'), updated: count('update'), deleted: count('delete') };
  const isChange = counts.created + counts.updated + counts.deleted > 0;
  transaction.targetName = undefined;
  transaction.change = isChange ? counts : null;
}
