import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { AgentVersionsService } from '../agents/agent-versions.service';
import { findSentTool } from './find-sent-tool';
import { INVOCATION_STATE } from './tool-invocation.entity';
import { LEASE_BATCH, type LeftInvocation, ToolInvocationsRepository } from './tool-invocations.repository';
import { mayRepeat, ToolSender } from './tool-sender';

const INTERVAL_MS = 1_000;

/**
 * Goes on with the invocations whose server was ended, or could not settle them, when their lease is over: those that may be
 * repeated are sent again with the same key, and of the others it is not known what came of them.
 */
@Injectable()
export class LeftInvocations implements OnApplicationBootstrap {
  constructor(
    private readonly invocations: ToolInvocationsRepository,
    private readonly versions: AgentVersionsService,
    private readonly sender: ToolSender,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.loops.inBatches(LEASE_BATCH, () => this.takeBatch()),
      INTERVAL_MS,
      'Invocations of tools that were left could not be taken; the next attempt follows',
    );
  }

  private async takeBatch(): Promise<number> {
    const left = await this.invocations.takeLeft();
    await Promise.all(left.map((invocation) => this.goOn(invocation)));
    return left.length;
  }

  /** Does not wait for requests, which may take minutes. A workspace has no more of them than `TOOL_CONCURRENCY`. */
  private async goOn(left: LeftInvocation): Promise<void> {
    const { tools } = await this.versions.getConfiguration(left);
    const tool = findSentTool(tools, left);
    if (tool && left.mayBeSent && left.secrets !== null && mayRepeat(tool)) {
      void this.sender.start({ ...left, tool, wasSent: true });
      return;
    }
    const isRead = tool?.effect === 'read';
    await this.sender.giveUp(left, isRead ? INVOCATION_STATE.failed : INVOCATION_STATE.unknown);
  }
}
