import { Injectable, type OnModuleInit } from '@nestjs/common';
import { IdempotencyService } from '../../../accounts/idempotency/idempotency.service';
import { Database, type Transaction } from '../../../platform/database/database';
import type { Caller } from '../../../platform/http/access';
import { Created } from '../../../platform/http/created';
import { atPath } from '../../../platform/http/at-path';
import { validationFailed } from '../../../platform/http/errors';
import { paginate } from '../../../platform/http/pagination';
import { AgentVersionsService } from '../../agents/agent-versions.service';
import type { Agent } from '../../agents/agent.entity';
import { AGENT_TYPE } from '../../agents/agent-types';
import { agentNotPublished } from '../../agents/agents.errors';
import { AgentsService } from '../../agents/agents.service';
import { CALL_TYPE } from '../../calls/model/call-states';
import { newRehearsalId } from '../../calls/model/rehearsal-id';
import { RuntimeCommands } from '../../calls/lifecycle/runtime-commands';
import type { RehearsalDefinition } from '../rehearsal-definition';
import { findUnjoinable, readRehearsals, type RehearsalValues } from '../rehearsal-rules';
import type { Rehearsal } from '../rehearsal.entity';
import { RehearsalsRepository } from '../rehearsals.repository';
import { RehearsalPlaysRepository } from './rehearsal-plays.repository';
import {
  type RehearsalRun,
  RUN_CAUSE,
  RUN_CAUSES,
  RUN_STATUS,
  type RunCause,
  MAX_STORED_TOKENS,
} from './rehearsal-run.entity';
import {
  type ListRunsQuery,
  MAX_CONVERSATIONS,
  type RehearsalResultDto,
  type RehearsalRunDetailDto,
  type RehearsalRunDto,
  StartRunDto,
} from './rehearsal-runs.dto';
import {
  MAX_OPEN_RUNS,
  noRehearsals,
  rehearsalResultNotFound,
  rehearsalRunNotFound,
  rehearsalRunsLimitReached,
} from './rehearsal-runs.errors';
import { presentResult, presentRun, presentRunDetail } from './rehearsal-runs.presenter';
import { type NarrowRun, type NewResult, RehearsalRunsRepository } from './rehearsal-runs.repository';
import { RehearsalScheduler } from './rehearsal-scheduler';

/** Starts runs of rehearsals, and shows how they go. */
@Injectable()
export class RehearsalRunsService implements OnModuleInit {
  constructor(
    private readonly runs: RehearsalRunsRepository,
    private readonly plays: RehearsalPlaysRepository,
    private readonly rehearsals: RehearsalsRepository,
    private readonly agents: AgentsService,
    private readonly versions: AgentVersionsService,
    private readonly scheduler: RehearsalScheduler,
    private readonly commands: RuntimeCommands,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.agents.onDeletion((workspaceId, agentId, transaction) =>
      this.cancelOfAgents(workspaceId, [agentId], RUN_CAUSES, transaction),
    );
  }

  /** @throws 404, 400, 409, 429 */
  async start(
    { workspaceId, userId }: Caller,
    agentId: string,
    body: StartRunDto,
  ): Promise<Created<RehearsalRunDto, { id: string }>> {
    const { id, name, deployment, gated, activeVersion } = await this.agents.find(workspaceId, agentId);
    const { version, against, fields, mode, seed, repeat, max_tokens: maxTokens } = body;
    for (const named of [version, against])
      if (typeof named === 'number') await this.versions.find(workspaceId, id, named);
    const active = gated ? activeVersion : deployment.version;
    if (against === 'active' && active === null) throw agentNotPublished('body.against');
    const played = await this.choose(workspaceId, id, body);
    if (mode === 'joined') assertJoinable(played, body.rehearsals);
    const sides = against === undefined ? 1 : 2;
    if (played.length * repeat * sides > MAX_CONVERSATIONS) {
      const message = `repeat must be less: a run has at most ${MAX_CONVERSATIONS} conversations`;
      throw validationFailed([{ field: 'body.repeat', message }]);
    }
    const preview =
      fields && (await atPath('body.fields', () => this.agents.preview(workspaceId, id, fields, version)));
    const newest = version === undefined && preview ? preview.version : deployment.version;
    const pinned = {
      agentVersion: version ?? newest,
      againstVersion: against === 'active' ? active : (against ?? null),
      ...{ fields: preview?.changed ?? null, configuration: preview?.configuration ?? null },
    };
    if (mode === 'audio' && played.some(({ definition }) => isWrittenTo(definition)))
      await this.assertSpoken({ ...pinned, workspaceId, agentId: id });
    const created = await this.idempotency.transaction(async (transaction) => {
      // An agent that is being deleted cancels its runs.
      await this.agents.lock(workspaceId, id, transaction);
      const values = { ...pinned, agentId: id, mode, seed, repeat, maxTokens };
      const row = { ...values, cause: RUN_CAUSE.api, createdBy: userId };
      const added = await this.add(workspaceId, row, played, transaction);
      if (!added) throw rehearsalRunsLimitReached();
      const { run, total } = added;
      const counted = { ...{ runId: run.id, total }, ...NOTHING_DONE };
      const shown = presentRun(
        { ...run, status: RUN_STATUS.queued, endedAt: null, reportSha256: null, agent: { name } },
        counted,
      );
      return new Created(shown, `/api/rehearsal-runs/${run.id}`, { id: run.id });
    });
    void this.scheduler.advance(workspaceId);
    return created;
  }

  /**
   * Plays the enabled rehearsals of the newest version of an agent, which the transaction has locked.
   * @returns the run; `none`: no rehearsal is enabled; `later`: too many runs are open
   */
  async startToPublish(
    agent: Pick<Agent, 'id' | 'workspaceId' | 'userId'> & { version: number },
    transaction: Transaction,
  ): Promise<{ runId: string } | 'none' | 'later'> {
    const { id, workspaceId, userId, version } = agent;
    if (!(await this.rehearsals.hasEnabled(workspaceId, id, transaction))) return 'none';
    if ((await this.runs.countOpen(workspaceId, transaction)) >= MAX_OPEN_RUNS) return 'later';
    const stored = await this.rehearsals.listAll(workspaceId, id, transaction);
    const played = stored.filter(({ enabled }) => enabled);
    const { mode, seed, repeat } = new StartRunDto();
    const values = { agentId: id, agentVersion: version, againstVersion: null };
    const row = {
      ...{ ...values, mode, seed, repeat, maxTokens: MAX_STORED_TOKENS },
      ...{ cause: RUN_CAUSE.publish, createdBy: userId },
    };
    const added = await this.add(workspaceId, row, played, transaction);
    if (!added) return 'later';
    transaction.afterCommit.push(() => void this.scheduler.advance(workspaceId));
    return { runId: added.run.id };
  }

  /** @returns null: too many runs of the workspace are open @throws 409 if an erasure has deleted a rehearsal */
  private async add(
    workspaceId: string,
    row: NewRun,
    played: Played[],
    transaction: Transaction,
  ): Promise<{ run: NarrowRun; total: number } | null> {
    await this.keepStored(workspaceId, played, transaction);
    await transaction.lock(`rehearsal runs of ${workspaceId}`);
    if ((await this.runs.countOpen(workspaceId, transaction)) >= MAX_OPEN_RUNS) return null;
    const run = await this.runs.insert(workspaceId, row, transaction);
    const results = listResults(run, played);
    await this.runs.insertResults(results, transaction);
    return { run, total: results.length };
  }

  /** Ends the open runs of agents, in the transaction that leaves them without a use. */
  async cancelOfAgents(
    workspaceId: string,
    agentIds: string[],
    causes: readonly RunCause[],
    transaction: Transaction,
  ): Promise<void> {
    const open = await this.runs.lockOpenOfAgents(workspaceId, agentIds, causes, transaction);
    if (open.length === 0) return;
    const playing = await this.plays.cancel(workspaceId, open, transaction);
    transaction.afterCommit.push(() => this.stop(playing));
  }

  private async stop(playing: { id: string; workerId: string }[]): Promise<void> {
    for (const { id, workerId } of playing) await this.commands.hangUp(workerId, id);
  }

  /** @throws 400 if the agent, or the version with which it is compared, is only written to */
  private async assertSpoken({
    agentVersion,
    againstVersion,
    configuration,
    ...agent
  }: Pick<RehearsalRun, 'workspaceId' | 'agentId' | 'agentVersion' | 'againstVersion' | 'configuration'>) {
    const read = (version: number) => this.versions.getConfiguration({ ...agent, agentVersion: version });
    const played = [
      configuration ?? (await read(agentVersion)),
      ...(againstVersion === null ? [] : [await read(againstVersion)]),
    ];
    if (played.every(({ snapshot }) => snapshot.type !== AGENT_TYPE.chat)) return;
    const message = 'mode cannot be audio: the agent is written to, so that there is nothing to hear';
    throw validationFailed([{ field: 'body.mode', message }]);
  }

  /** An erasure waits until the run is there, and then finds it. @throws 409 if it was first */
  private async keepStored(workspaceId: string, played: Played[], transaction: Transaction): Promise<void> {
    const ids = played.flatMap(({ id, personNumber }) => (id !== undefined && personNumber ? [id] : []));
    if (ids.length > 0 && (await this.rehearsals.keep(workspaceId, ids, transaction)) < ids.length)
      throw noRehearsals();
  }

  async list(workspaceId: string, query: ListRunsQuery) {
    const { rows, total } = await this.runs.list(workspaceId, query);
    return paginate(await this.present(workspaceId, rows), query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, runId: string): Promise<RehearsalRunDetailDto> {
    const run = await this.find(workspaceId, runId);
    const [shown] = await this.present(workspaceId, [run]);
    return presentRunDetail(shown as RehearsalRunDto, await this.runs.listResults(workspaceId, run.id));
  }

  /** @throws 404 */
  async getResult(
    workspaceId: string,
    runId: string,
    { name, repeat, against }: { name: string; repeat: string; against: boolean },
  ): Promise<RehearsalResultDto> {
    const run = await this.find(workspaceId, runId);
    const isNamed = /^[a-z0-9-]{1,60}$/.test(name) && /^\d{1,2}$/.test(repeat);
    const found = isNamed
      ? await this.runs.findResult(workspaceId, run.id, { name, against, repeat: Number(repeat) })
      : null;
    if (!found) throw rehearsalResultNotFound();
    return presentResult(found);
  }

  /** Ends a run. One that has ended stays as it is. @throws 404 */
  async cancel(workspaceId: string, runId: string): Promise<RehearsalRunDto> {
    const { id } = await this.find(workspaceId, runId);
    const playing = await this.database.transaction(async (transaction) => {
      const run = await this.runs.findLocked(workspaceId, id, transaction);
      if (run?.endedAt !== null) {
        transaction.change = null;
        return [];
      }
      return this.plays.cancel(workspaceId, [id], transaction);
    });
    await this.stop(playing);
    await this.scheduler.announceEnds(workspaceId);
    const [shown] = await this.present(workspaceId, [await this.find(workspaceId, id)]);
    return shown as RehearsalRunDto;
  }

  /** @throws 404 */
  private async find(workspaceId: string, runId: string): Promise<NarrowRun> {
    const run = await this.runs.findWithAgent(workspaceId, runId);
    if (!run) throw rehearsalRunNotFound();
    return run;
  }

  private async present(workspaceId: string, rows: NarrowRun[]): Promise<RehearsalRunDto[]> {
    const counted = await this.runs.count(
      workspaceId,
      rows.map(({ id }) => id),
    );
    return rows.map((run) => presentRun(run, counted.get(run.id) ?? { total: 0, ...NOTHING_DONE }));
  }

  /** @throws 400, 409 */
  private async choose(
    workspaceId: string,
    agentId: string,
    { rehearsals, only }: StartRunDto,
  ): Promise<Played[]> {
    const known: Played[] = rehearsals
      ? await readRehearsals(rehearsals, 'body.rehearsals')
      : await this.rehearsals.listAll(workspaceId, agentId);
    const missing = (only ?? []).flatMap((name, index) =>
      known.some((each) => each.name === name)
        ? []
        : [{ field: `body.only.${index}`, message: 'the agent has no rehearsal with this name' }],
    );
    if (missing.length > 0) throw validationFailed(missing);
    const chosen = known.filter(({ name, enabled }) => (only ? only.includes(name) : enabled));
    if (chosen.length === 0) throw noRehearsals();
    return chosen;
  }
}

/** Whether an agent for texts is written to in it. On the phone, each agent speaks. */
const isWrittenTo = ({ situation }: RehearsalDefinition) => situation.call_type !== CALL_TYPE.phonecall;

/** @throws 400 on the path of what cannot be played, or with the name of the rehearsal that is stored */
function assertJoinable(played: Played[], given: StartRunDto['rehearsals']): void {
  const problems = played.flatMap(({ name, definition }) =>
    findUnjoinable(definition).map((path) =>
      given
        ? {
            field: `body.rehearsals.${given.findIndex((each) => each.name === name)}.${path}`,
            message: 'it cannot be played with the mode joined',
          }
        : { field: 'body.mode', message: `mode cannot be joined: ${name} has ${path}` },
    ),
  );
  if (problems.length > 0) throw validationFailed(problems);
}

/** A rehearsal that is stored, or was given in the request. */
type Played = RehearsalValues & Partial<Pick<Rehearsal, 'id' | 'personNumber'>>;

type NewRun = Pick<
  RehearsalRun,
  | 'agentId'
  | 'agentVersion'
  | 'againstVersion'
  | 'cause'
  | 'mode'
  | 'seed'
  | 'repeat'
  | 'maxTokens'
  | 'createdBy'
> &
  Partial<Pick<RehearsalRun, 'fields' | 'configuration'>>;

const NOTHING_DONE = { own: 0, done: 0, passed: 0, failed: 0, errors: 0, error: null, tokens: 0 };

/** The calls of a run: all rehearsals once, then all of them again, each beside the one that it is compared with. */
function listResults(run: NarrowRun, played: Played[]): NewResult[] {
  const repetitions = Array.from({ length: run.repeat }, (_, index) => index + 1);
  const sides = run.againstVersion === null ? [false] : [false, true];
  const calls = repetitions.flatMap((repeat) =>
    played.flatMap((rehearsal) => sides.map((against) => ({ ...rehearsal, repeat, against }))),
  );
  return calls.map(({ name, definition, personNumber = null, repeat, against }, position) => ({
    ...{ id: newRehearsalId(), workspaceId: run.workspaceId, runId: run.id },
    ...{ name, repeat, against, position, personNumber },
    definition: repeat === 1 && !against ? definition : null,
    seed: run.seed + repeat - 1,
  }));
}
