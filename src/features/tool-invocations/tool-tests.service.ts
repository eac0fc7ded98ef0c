import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../platform/database/database';
import { shorten } from '@parley/worker';
import { validationFailed } from '../../platform/http/errors';
import { listOfferedTools } from '../tools/offered-tools';
import { MAX_TIMEOUT_MS, type OfferedTool } from '../tools/tool-definition';
import { ToolsService } from '../tools/tools.service';
import { WebhookSecretsService } from '../webhooks/webhook-secrets.service';
import { findArgumentsError } from './arguments-error';
import { INVOCATION_STATE } from './tool-invocation.entity';
import { toOutcome } from './tool-outcome';
import { ToolPlaces } from '../tools/tool-places';
import type { WorkToSend } from './tool-request';
import { ToolRequests } from './tool-requests';
import { findResults } from './tool-results';
import type { TestToolDto, ToolTestDto } from './tool-tests.dto';

const MAX_BODY = 4_096;

/** Sends the request of a tool once, outside of a call. */
@Injectable()
export class ToolTestsService {
  constructor(
    private readonly tools: ToolsService,
    private readonly secrets: WebhookSecretsService,
    private readonly requests: ToolRequests,
    private readonly places: ToolPlaces,
    private readonly database: Database,
  ) {}

  /** @throws 400, 404, 422, 429 */
  async test(workspaceId: string, toolId: string, body: TestToolDto): Promise<ToolTestDto> {
    const { name, definition, secrets } = await this.tools.find(workspaceId, toolId);
    const { arguments: given, variables = {} } = body;
    const tool = chooseTool(listOfferedTools({}, [{ ...definition, name, tool_id: toolId }]), body.tool);
    const error = findArgumentsError(tool, given);
    if (error) throw error;
    const release = this.places.enter(workspaceId);
    try {
      // Its entry in the audit is there before the request.
      await this.database.transaction((transaction) => {
        transaction.targetName = name;
        return Promise.resolve();
      });
      const { secret } = await this.secrets.find(workspaceId);
      const work = {
        ...{ id: randomUUID(), workspaceId, callId: '', agentId: '', tool, arguments: given },
        ...{ toNumber: '', fromNumber: '', variables, secrets, signingSecrets: [secret], wasSent: false },
      };
      return await this.send(work, secret);
    } finally {
      release();
    }
  }

  private async send(work: WorkToSend, secret: string): Promise<ToolTestDto> {
    const { timeout_ms, results } = work.tool;
    const begun = performance.now();
    const sent = await this.requests.send(work, [secret], Math.min(timeout_ms, MAX_TIMEOUT_MS.wait), {
      'x-parley-test': 'true',
    });
    const ms = Math.round(performance.now() - begun);
    const answer = sent ?? { wasSent: true, message: 'the server was stopped before the answer' };
    const { state, result, error } = toOutcome(answer);
    return {
      status: 'status' in answer ? answer.status : null,
      body: 'text' in answer ? shorten(answer.text ?? '', MAX_BODY) : '',
      variables: state === INVOCATION_STATE.done ? findResults(results, result) : {},
      ...{ error, ms },
    };
  }
}

/** @throws 400 unless it names the only tool, or one of those of a server */
function chooseTool(tools: OfferedTool[], name: string | undefined): OfferedTool {
  const found = tools.find(({ server_tool }) => server_tool === (name ?? null));
  if (found) return found;
  const names = tools.flatMap(({ server_tool }) => server_tool ?? []);
  const message =
    names.length > 0 ? `tool must be one of ${names.join(', ')}` : 'tool is for the kind mcp only';
  throw validationFailed([{ field: 'body.tool', message }]);
}
