import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../platform/database/database';
import { shorten } from '@parley/worker';
import { MAX_TIMEOUT_MS } from '../tools/tool-definition';
import { ToolsService } from '../tools/tools.service';
import { WebhookSecretsService } from '../webhooks/webhook-secrets.service';
import { assertArguments } from './assert-arguments';
import { ToolClient } from './tool-client';
import { INVOCATION_STATE } from './tool-invocation.entity';
import { toOutcome } from './tool-outcome';
import { ToolPlaces } from './tool-places';
import { createToolRequest } from './tool-request';
import { findResults } from './tool-results';
import type { TestToolDto, ToolTestDto } from './tool-tests.dto';

const MAX_BODY = 4_096;

/** Sends the request of a tool once, outside of a call. */
@Injectable()
export class ToolTestsService {
  constructor(
    private readonly tools: ToolsService,
    private readonly secrets: WebhookSecretsService,
    private readonly client: ToolClient,
    private readonly places: ToolPlaces,
    private readonly database: Database,
  ) {}

  /** @throws 404, 422, 429 */
  async test(
    workspaceId: string,
    toolId: string,
    { arguments: given, variables = {} }: TestToolDto,
  ): Promise<ToolTestDto> {
    const { name, definition, secrets } = await this.tools.find(workspaceId, toolId);
    const tool = { ...definition, name, tool_id: toolId };
    assertArguments(tool, given);
    const release = this.places.enter(workspaceId);
    try {
      // Its entry in the audit is there before the request.
      await this.database.transaction((transaction) => {
        transaction.targetName = name;
        return Promise.resolve();
      });
      const { secret } = await this.secrets.find(workspaceId);
      const request = createToolRequest(
        {
          ...{ id: randomUUID(), workspaceId, callId: '', agentId: '', tool, arguments: given },
          ...{ toNumber: '', fromNumber: '', variables, secrets, signingSecrets: [secret], wasSent: false },
        },
        [secret],
      );
      request.headers['x-parley-test'] = 'true';
      const begun = performance.now();
      const sent = await this.client.send(request, Math.min(tool.timeout_ms, MAX_TIMEOUT_MS.wait));
      const answer = sent ?? { wasSent: true, message: 'the server was stopped before the answer' };
      const { state, result, error } = toOutcome(answer);
      const ms = Math.round(performance.now() - begun);
      const isDone = state === INVOCATION_STATE.done;
      return {
        ...('status' in answer
          ? { status: answer.status, body: shorten(answer.text ?? '', MAX_BODY) }
          : { status: null, body: '' }),
        ...{ variables: isDone ? findResults(tool.results, result) : {}, error, ms },
      };
    } finally {
      release();
    }
  }
}
