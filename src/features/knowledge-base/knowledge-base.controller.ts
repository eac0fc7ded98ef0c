import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, ScopeFiltered, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ClientAbortSignal } from '../../platform/http/client-abort-signal';
import type { Created } from '../../platform/http/created';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { hasOneOf, MayScan } from '../../platform/http/may-scan';
import { fileTooLarge, Multipart } from '../../platform/http/multipart';
import { ApiRequestBody } from '../../platform/http/request-body';
import { getDefault } from '../../config';
import { answersWithStatus } from '../../platform/outbound-http/outbound-request.error';
import { Idempotent } from '../../accounts/idempotency/idempotent';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import type { KnowledgeBase } from './knowledge-base.entity';
import { CreateKnowledgeBaseDto, KnowledgeBaseDto, ListKnowledgeBasesQuery } from './knowledge-base.dto';
import { FoundPassageDto, SearchQuery } from './knowledge-base-search.dto';
import {
  bothForms,
  idMissing,
  knowledgeBaseOutcomeUnknown,
  knowledgeBaseNotFound,
  linkUnavailable,
  nameTaken,
  readerFailed,
  readersBusy,
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
  @Audited<Created<object, KnowledgeBase>>('knowledge_base.created', ({ result: { row } }) => ({
    id: row.id,
    name: row.name,
    details: { type: row.type },
  }))
  @ApiRequestBody({ 'application/json': KnowledgeBaseLinkForm, 'multipart/form-data': KnowledgeBaseFileForm })
  @Idempotent({ unknownOutcome: knowledgeBaseOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'createKnowledgeBase',
    summary: 'Create a knowledge base',
    description:
      'Creates a knowledge base from one link (JSON) or one uploaded file (form). The link or file is ' +
      'read before the answer; additional links and the search index follow in the background, and each ' +
      'source shows its status. The header Location leads to the new knowledge base.',
    cost: 'No credits. Its file and its text count towards the quota of knowledge base bytes.',
    status: 201,
    message: 'Knowledge base created',
    data: 'empty',
    location: 'The new knowledge base in the list: /api/knowledge-base?kb_id=…',
    errors: [
      unreadableFile('it has no text'),
      fileTooLarge('file', getDefault('UPLOAD_MAX_MB')),
      bothForms(),
      quotaReached('knowledge_base_bytes', { limit: 1_000_000, used: 900_000 }, 200_000),
      quotaReached('knowledge_bases', { limit: 10_000, used: 10_000 }),
      nameTaken('Opening hours'),
      linkUnavailable('baseUrl', answersWithStatus(404)),
      readerFailed('its process was ended'),
      readersBusy(getDefault('DOCUMENT_WAIT_MS') / 1_000),
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
  @MayScan(hasOneOf('search'))
  @ApiEnvelopeResponse({
    operationId: 'listKnowledgeBases',
    summary: 'List knowledge bases',
    description:
      'Lists the knowledge bases of the workspace with their sources, newest first unless sorted ' +
      'otherwise.',
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
  @Audited<KnowledgeBase>('knowledge_base.deleted', ({ result: { id, name } }) => ({ id, name }))
  @ApiEnvelopeResponse({
    operationId: 'deleteKnowledgeBase',
    summary: 'Delete a knowledge base',
    description:
      'Deletes the knowledge base with its file, its text and its assignments to agents. Without an id ' +
      'in the path, the answer is a 400 on `params.kb_id`.',
    status: 200,
    message: 'Knowledge base deleted',
    data: 'empty',
    errors: [idMissing(), knowledgeBaseNotFound()],
  })
  remove(@CurrentCaller() caller: Caller, @Param('kb_id') id: string) {
    return this.knowledgeBases.remove(caller.workspaceId, id);
  }

  /** The API specification requires 400 for a missing id, not 405. The operation above documents it. */
  @Delete()
  @Unscoped()
  @ApiExcludeEndpoint()
  removeUnnamed(): never {
    throw idMissing();
  }

  @Get(':kb_id/search')
  @ScopeFiltered()
  @ApiEnvelopeResponse({
    operationId: 'searchKnowledgeBase',
    summary: 'Search a knowledge base',
    description:
      'Finds the passages of a knowledge base that match a query best. Agent runtimes use it during ' +
      'calls. A credential with a scope can search the knowledge bases of its agents.',
    cost:
      'No credits. Each workspace has a share of concurrent searches; more of them wait, and are a 503 ' +
      'when they wait too long.',
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
