import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { PageQuery } from '../../platform/http/pagination';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { promptTemplateNotFound } from './agents.errors';
import type { PromptTemplate } from './prompt-template.entity';
import { CreatePromptTemplateDto, PromptTemplateDto, PromptTemplateSummaryDto } from './prompt-templates.dto';
import { PromptTemplatesService } from './prompt-templates.service';

@ApiTags('Prompt templates')
@Controller('api/prompt-templates')
export class PromptTemplatesController {
  constructor(private readonly templates: PromptTemplatesService) {}

  @Post()
  @Unscoped()
  @Audited<PromptTemplate>('prompt_template.created', ({ result: { id, name } }) => ({ id, name }))
  @ApiRequestBody(CreatePromptTemplateDto)
  @ApiEnvelopeResponse({
    operationId: 'createPromptTemplate',
    summary: 'Create a prompt template',
    description: 'Stores a greeting and a prompt of the workspace, from which agents can be created.',
    cost: 'No credits. A workspace can have 1,000 prompt templates.',
    status: 201,
    message: 'Prompt template created',
    data: PromptTemplateDto,
    errors: [quotaReached('prompt_templates', { limit: 1_000, used: 1_000 })],
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreatePromptTemplateDto) {
    return this.templates.create(caller.workspaceId, body);
  }

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listPromptTemplates',
    summary: 'List prompt templates',
    description: 'Lists the templates of the platform and of the workspace, without their prompts.',
    status: 200,
    message: 'Prompt templates',
    data: PromptTemplateSummaryDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.templates.list(caller.workspaceId, query);
  }

  @Get(':template_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getPromptTemplate',
    summary: 'Get a prompt template',
    description: 'Returns one template of the platform or of the workspace, with its prompt.',
    status: 200,
    message: 'Prompt template',
    data: PromptTemplateDto,
    errors: [promptTemplateNotFound()],
  })
  get(@CurrentCaller() caller: Caller, @Param('template_id') templateId: string) {
    return this.templates.get(caller.workspaceId, templateId);
  }

  @Delete(':template_id')
  @Unscoped()
  @Audited<{ name: string }>('prompt_template.deleted', ({ params, result: { name } }) => ({
    id: params.template_id as string,
    name,
  }))
  @ApiEnvelopeResponse({
    operationId: 'deletePromptTemplate',
    summary: 'Delete a prompt template',
    description:
      'Deletes a template of the workspace. Agents that were created from it keep their prompts. ' +
      'Templates of the platform cannot be deleted.',
    status: 200,
    message: 'Prompt template deleted',
    errors: [promptTemplateNotFound()],
  })
  remove(@CurrentCaller() caller: Caller, @Param('template_id') templateId: string) {
    return this.templates.remove(caller.workspaceId, templateId);
  }
}
