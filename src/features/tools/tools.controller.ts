import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../accounts/audit/audited';
import { Idempotent } from '../../accounts/idempotency/idempotent';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import type { Created } from '../../platform/http/created';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import type { Tool } from './tool.entity';
import { DiscoveredToolsDto, ListToolsQuery, ToolDto, WriteToolDto } from './tools.dto';
import {
  toolNameTaken,
  toolNotFound,
  toolOutcomeUnknown,
  toolsBusy,
  toolServerUnavailable,
  toolWithoutServer,
} from './tools.errors';
import { ToolsService } from './tools.service';

const UNREACHABLE = 'its host cannot be reached';

@ApiTags('Tools')
@Controller('api/tools')
export class ToolsController {
  constructor(private readonly tools: ToolsService) {}

  @Post()
  @Unscoped()
  @Audited<Created<ToolDto, Tool>>('tool.created', ({ result: { row } }) => ({ id: row.id, name: row.name }))
  @ApiRequestBody(WriteToolDto)
  @Idempotent({ unknownOutcome: toolOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'createTool',
    summary: 'Create a tool',
    description:
      'Stores something that agents may do, and which the server requests from another system. Agents have it by its ' +
      'name in their `actions`: those that name it already get a new version.',
    cost: 'No credits. A workspace can have 200 tools.',
    status: 201,
    message: 'Tool created',
    data: ToolDto,
    location: 'The new tool: /api/tools/…',
    errors: [
      toolNameTaken('book_table'),
      quotaReached('tools', { limit: 200, used: 200 }),
      toolServerUnavailable(UNREACHABLE),
      toolsBusy(),
    ],
  })
  create(@CurrentCaller() { workspaceId }: Caller, @Body() body: WriteToolDto) {
    return this.tools.create(workspaceId, body);
  }

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listTools',
    summary: 'List tools',
    description: 'Lists the tools of the workspace by their names. Of secrets only the names are shown.',
    status: 200,
    message: 'Tools',
    data: ToolDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: ListToolsQuery) {
    return this.tools.list(workspaceId, query);
  }

  @Get(':tool_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getTool',
    summary: 'Get a tool',
    description: 'Returns one tool. Of its secrets only the names are shown.',
    status: 200,
    message: 'Tool',
    data: ToolDto,
    errors: [toolNotFound()],
  })
  get(@CurrentCaller() { workspaceId }: Caller, @Param('tool_id') toolId: string) {
    return this.tools.get(workspaceId, toolId);
  }

  @Post(':tool_id/discover')
  // It sends secrets to the server, so a credential that only reads has no access.
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'discoverTools',
    summary: 'List the tools of a server',
    description:
      'Asks the server of a tool of the kind `mcp` for its tools, at most 200 are shown. It changes nothing: models know ' +
      'a tool as it was when it was stored.',
    status: 200,
    message: 'Tools of the server',
    data: DiscoveredToolsDto,
    errors: [toolNotFound(), toolWithoutServer(), toolServerUnavailable(UNREACHABLE), toolsBusy()],
  })
  async discover(@CurrentCaller() { workspaceId }: Caller, @Param('tool_id') toolId: string) {
    return { tools: await this.tools.discover(workspaceId, toolId) };
  }

  @Put(':tool_id')
  @Unscoped()
  @Audited('tool.updated', ({ params }) => ({ id: params.tool_id as string }))
  @ApiRequestBody(WriteToolDto)
  @ApiEnvelopeResponse({
    operationId: 'replaceTool',
    summary: 'Replace a tool',
    description:
      'Replaces the whole tool: a field that is left out has its default. A secret that is left out stays. The agents that ' +
      'name the tool get a new version, unless only secrets have changed; calls keep the tool of their version.',
    status: 200,
    message: 'Tool replaced',
    data: ToolDto,
    errors: [toolNotFound(), toolNameTaken('book_table'), toolServerUnavailable(UNREACHABLE), toolsBusy()],
  })
  replace(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('tool_id') toolId: string,
    @Body() body: WriteToolDto,
  ) {
    return this.tools.replace(workspaceId, toolId, body);
  }

  @Delete(':tool_id')
  @Unscoped()
  @Audited<Tool>('tool.deleted', ({ result: { id, name } }) => ({ id, name }))
  @ApiEnvelopeResponse({
    operationId: 'deleteTool',
    summary: 'Delete a tool',
    description: 'Deletes a tool with its secrets. The agents that name it get a new version without it.',
    status: 200,
    message: 'Tool deleted',
    data: 'empty',
    errors: [toolNotFound()],
  })
  async remove(@CurrentCaller() { workspaceId }: Caller, @Param('tool_id') toolId: string) {
    await this.tools.remove(workspaceId, toolId);
    return {};
  }
}
