import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { type Paginated, paginate } from '../../platform/http/pagination';
import { AgentVersionsService } from '../agents/agent-versions.service';
import type { OfferedTool } from '../tools/tool-definition';
import type { ListInvocationsQuery, ResolveInvocationDto } from './invocation-records.dto';
import { InvocationRecordsRepository } from './invocation-records.repository';
import { findSentTool } from './find-sent-tool';
import { InvocationWaits } from './invocation-waits';
import type { ListedInvocationDto } from './tool-invocations.dto';
import { INVOCATION_STATE } from './tool-invocation.entity';
import { invocationNotFound, invocationSettled, toolNotOfAgent } from './tool-invocations.errors';
import { presentListed } from './tool-invocations.presenter';
import type { ListedInvocation, SentInvocation } from './tool-invocations.repository';
import { ToolPlaces } from '../tools/tool-places';
import { getWaitMs, ToolSender } from './tool-sender';

/** Shows the invocations of all calls of a workspace, and lets a person decide what became of an unknown one. */
@Injectable()
export class InvocationRecordsService {
  constructor(
    private readonly records: InvocationRecordsRepository,
    private readonly versions: AgentVersionsService,
    private readonly sender: ToolSender,
    private readonly waits: InvocationWaits,
    private readonly places: ToolPlaces,
    private readonly database: Database,
  ) {}

  async list(workspaceId: string, query: ListInvocationsQuery): Promise<Paginated<ListedInvocationDto[]>> {
    const { rows, total } = await this.records.list(workspaceId, query);
    return paginate(rows.map(presentListed), query, total);
  }

  /** @throws 404, 409 unless it is unknown */
  async resolve(
    workspaceId: string,
    id: string,
    { state, note = '' }: ResolveInvocationDto,
  ): Promise<ListedInvocationDto> {
    const { tool } = await this.get(workspaceId, id);
    await this.database.transaction(async (transaction) => {
      transaction.targetName = tool;
      transaction.change = { state };
      if (!(await this.records.resolve(workspaceId, id, { state, note }, transaction)))
        throw invocationSettled();
    });
    return presentListed(await this.get(workspaceId, id));
  }

  /**
   * Sends an unknown invocation again, with the same key, and waits for what comes of it.
   * @throws 404 also if its tool was deleted, 409 unless it is unknown, 429
   */
  async resend(workspaceId: string, id: string, clientGone: AbortSignal): Promise<ListedInvocationDto> {
    const { state } = await this.get(workspaceId, id);
    if (state !== INVOCATION_STATE.unknown) throw invocationSettled();
    const sent = await this.records.findSent(workspaceId, id);
    if (!sent) throw invocationNotFound();
    const tool = await this.findTool(sent);
    const release = this.places.enter(workspaceId);
    let isRunning = false;
    try {
      const leaseUntil = await this.database.transaction(async (transaction) => {
        transaction.targetName = sent.tool;
        return this.records.reopen(workspaceId, id, transaction);
      });
      if (!leaseUntil) throw invocationSettled();
      void this.sender.start({ ...sent, leaseUntil, tool, wasSent: true }).finally(release);
      isRunning = true;
      const running = await this.get(workspaceId, id);
      await this.waits.wait(running, { waitMs: getWaitMs(tool), clientGone });
    } finally {
      if (!isRunning) release();
    }
    return presentListed(await this.get(workspaceId, id));
  }

  private async findTool(sent: SentInvocation): Promise<OfferedTool> {
    const { tools } = await this.versions.getConfiguration(sent);
    const tool = findSentTool(tools, sent);
    if (!tool || sent.secrets === null) throw toolNotOfAgent(sent.tool);
    return tool;
  }

  /** @throws 404 */
  private async get(workspaceId: string, id: string): Promise<ListedInvocation> {
    const found = await this.records.find(workspaceId, id);
    if (!found) throw invocationNotFound();
    return found;
  }
}
