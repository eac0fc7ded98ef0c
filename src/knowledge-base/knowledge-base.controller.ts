import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { readersBusy } from '../documents/documents.errors';
import { type Caller, CurrentCaller, ScopeFiltered, Unscoped } from '../http/access';
import { ClientAbortSignal } from '../http/client-abort-signal';
import { ApiEnvelopeResponse } from '../http/envelope';
import { ApiErrorResponses } from '../http/error-responses';
import { Multipart } from '../http/multipart';
import { ApiRequestBody } from '../http/request-body';
import { defaultOf } from '../config';
import { answersWithStatus } from '../outbound-http/outbound-request.error';
import { Idempotent } from '../idempotency/idempotent';
import { quotaReached } from '../workspaces/workspaces.errors';
import { CreateKnowledgeBaseDto, KnowledgeBaseDto, ListKnowledgeBasesQuery } from './knowledge-base.dto';
import { FoundPassageDto, SearchQuery } from './knowledge-base-search.dto';
import {
  bothForms,
  idMissing,
  knowledgeBaseOutcomeUnknown,
  knowledgeBaseNotFound,
  linkUnavailable,
  nameTaken,
  unreadableFile,
} from './knowledge-base.errors';
import { KnowledgeBaseFileForm, KnowledgeBaseLinkForm } from './knowledge-base-forms.dto';
import { KnowledgeBaseSearch } from './knowledge-base-search';
import { KnowledgeBaseService } from './knowledge-base.service';

@ApiTags('Knowledge bases')
@Controller('api/knowledge-base')
export class KnowledgeBaseController {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseService,
    private readonly passages: KnowledgeBaseSearch,
  ) {}

  @Post()
  @Unscoped()
  @Multipart({ file: 'file', maxBytes: ({ UPLOAD_MAX_MB }) => UPLOAD_MAX_MB * 1024 * 1024 })
  @ApiRequestBody({ 'application/json': KnowledgeBaseLinkForm, 'multipart/form-data': KnowledgeBaseFileForm })
  @Idempotent({ unknownOutcome: knowledgeBaseOutcomeUnknown })
  @ApiEnvelopeResponse({
    status: 201,
    message: 'Knowledge base created',
    data: 'empty',
    location: 'The new knowledge base in the list: /api/knowledge-base?kb_id=…',
    errors: [
      unreadableFile('it has no text'),
      bothForms(),
      quotaReached('knowledge_base_bytes', { limit: 1_000_000, used: 900_000 }, 200_000),
      nameTaken('Opening hours'),
      linkUnavailable(answersWithStatus(404)),
      readersBusy(defaultOf('DOCUMENT_WAIT_MS') / 1_000),
    ],
  })
  create(
    @CurrentCaller() caller: Caller,
    @ClientAbortSignal() abortSignal: AbortSignal,
    @Body() body: CreateKnowledgeBaseDto,
  ) {
    return this.knowledgeBases.create(caller.workspaceId, body, abortSignal);
  }

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Knowledge bases',
    data: KnowledgeBaseDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListKnowledgeBasesQuery) {
    return this.knowledgeBases.list(caller.workspaceId, query);
  }

  @Delete(':kb_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Knowledge base deleted',
    data: 'empty',
    errors: [knowledgeBaseNotFound()],
  })
  remove(@CurrentCaller() caller: Caller, @Param('kb_id') id: string) {
    return this.knowledgeBases.remove(caller.workspaceId, id);
  }

  /** The interface has a 400 of its own for it, where other methods that a path lacks are a 405. */
  @Delete()
  @Unscoped()
  @ApiErrorResponses([idMissing()])
  removeUnnamed(): never {
    throw idMissing();
  }

  @Get(':kb_id/search')
  @ScopeFiltered()
  @ApiEnvelopeResponse({
    status: 200,
    message: 'Passages',
    data: FoundPassageDto,
    list: true,
    errors: [knowledgeBaseNotFound()],
  })
  search(@CurrentCaller() caller: Caller, @Param('kb_id') id: string, @Query() query: SearchQuery) {
    return this.passages.search(caller, id, query);
  }
}
