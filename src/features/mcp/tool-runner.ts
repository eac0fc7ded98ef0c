import type { CallToolResult } from '@modelcontextprotocol/server';
import { Injectable, Logger } from '@nestjs/common';
import { auditRecord } from '../../accounts/audit/audit-trail.repository';
import { toLostConnectionError, toRolledBackError } from '../../platform/database/database-refusals';
import { agentsInScope } from '../../platform/http/access';
import { toActor } from '../../platform/http/actor';
import type { ChangeRecord } from '../../platform/http/change-record';
import { getAbortSignal } from '../../platform/http/client-abort-signal';
import { ApiError } from '../../platform/http/errors';
import { requestContext } from '../../platform/http/request-context';
import { internalError, serverFailed } from '../../platform/http/top-level-error-details';
import { limitedToAgents } from './mcp.errors';
import type { Tool, ToolRequest, ToolResult } from './tool';
import { readArguments } from './tool-arguments';
import { toToolError } from './tool-error';

/** Runs tools as the routes of the REST API are run: with a record of what they change, and errors as results. */
@Injectable()
export class ToolRunner {
  private readonly logger = new Logger('Tools');

  async run(tool: Tool, given: unknown, request: ToolRequest): Promise<CallToolResult> {
    try {
      assertAllowed(tool, request);
      const args = readArguments(tool.input, given);
      const { structured, text } = await this.within(tool, args, request);
      // The protocol knows no dates.
      const json = JSON.stringify(structured);
      return {
        content: [{ type: 'text', text: text ?? json }],
        structuredContent: JSON.parse(json) as Record<string, unknown>,
      };
    } catch (error) {
      return toToolError(this.toRefusal(tool, error, request));
    }
  }

  private async within(
    tool: Tool,
    args: Record<string, unknown>,
    request: ToolRequest,
  ): Promise<ToolResult<object>> {
    const context = requestContext.getStore();
    if (!context) throw new Error('A tool runs in a request.');
    if (!tool.change || tool.change.isDry?.(args)) {
      const abortSignal = getAbortSignal(request.response);
      return requestContext.runWork({ ...context, abortSignal }, () => tool.run(args, request));
    }
    const record = createRecord(tool, args, request);
    return requestContext.runWork({ ...context, record }, () => tool.run(args, request));
  }

  private toRefusal(tool: Tool, error: unknown, { requestId }: ToolRequest): ApiError {
    const refusal = error instanceof ApiError ? error : toRolledBackError(error);
    if (refusal) return refusal;
    this.logger.error({ err: error, requestId, tool: tool.name }, 'A tool failed');
    const lost = toLostConnectionError(error, { mayChange: tool.change !== undefined });
    return lost ?? internalError({ details: serverFailed(requestId) });
  }
}

/** @throws 403 */
function assertAllowed({ name, reach }: Tool, { caller }: ToolRequest): void {
  const agents = agentsInScope(caller);
  if (reach === 'workspace' && agents) throw limitedToAgents(name, agents);
}

/** The entry of the audit, which the first transaction of the tool writes. */
function createRecord(
  { name, change }: Tool,
  args: Record<string, unknown>,
  { caller, requestId, ip }: ToolRequest,
): ChangeRecord {
  if (!change) throw new Error('A tool that only reads has no record.');
  const { action, findTarget } = change;
  return auditRecord((result) => {
    const target = findTarget(args, result);
    return {
      workspaceId: caller.workspaceId,
      actor: toActor(caller),
      action,
      requestId,
      ip,
      ...target,
      details: { ...target.details, tool: name },
    };
  });
}
