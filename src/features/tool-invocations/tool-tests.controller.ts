import { Body, Controller, Param, Post } from '@nestjs/common';
import { toolsBusy } from '../tools/tools.errors';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../accounts/audit/audited';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { toolNotFound } from '../tools/tools.errors';
import { argumentsInvalid } from './tool-invocations.errors';
import { TestToolDto, ToolTestDto } from './tool-tests.dto';
import { ToolTestsService } from './tool-tests.service';

@ApiTags('Tools')
@Controller('api/tools')
export class ToolTestsController {
  constructor(private readonly tests: ToolTestsService) {}

  @Post(':tool_id/test')
  @Unscoped()
  @Audited('tool.tested', ({ params }) => ({ id: params.tool_id as string }))
  @ApiRequestBody(TestToolDto)
  @ApiEnvelopeResponse({
    operationId: 'testTool',
    summary: 'Test a tool',
    description:
      'Sends the request of a tool once, with `X-Parley-Test: true`, and returns what came back within a minute. ' +
      'Nothing of it is kept. An address that does not heed the header does what it is asked for.',
    status: 200,
    message: 'Tool tested',
    data: ToolTestDto,
    errors: [
      toolNotFound(),
      argumentsInvalid([{ field: 'body.arguments.day', message: 'day is missing' }]),
      toolsBusy(),
    ],
  })
  test(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('tool_id') toolId: string,
    @Body() body: TestToolDto,
  ): Promise<ToolTestDto> {
    return this.tests.test(workspaceId, toolId, body);
  }
}
