import { Body, Controller, Delete, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Config, getDefault } from '../../config';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ClientAbortSignal } from '../../platform/http/client-abort-signal';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { fileTooLarge, Multipart } from '../../platform/http/multipart';
import { ApiRequestBody } from '../../platform/http/request-body';
import { Idempotent } from '../../accounts/idempotency/idempotent';
import { answersWithStatus } from '../../platform/outbound-http/outbound-request.error';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { SourceDto } from './knowledge-base.dto';
import {
  knowledgeBaseNotFound,
  lastSource,
  linkWithFile,
  linkUnavailable,
  readerFailed,
  readersBusy,
  replacementOutcomeUnknown,
  sourceNotFound,
  sourcesLimitReached,
  sourcesOutcomeUnknown,
  unreadableFile,
} from './knowledge-base.errors';
import {
  AddLinksForm,
  AddSourcesDto,
  ReplaceLinkForm,
  ReplaceSourceDto,
  UploadedSourceForm,
} from './sources.dto';
import { MAX_SOURCES, SourcesService } from './sources.service';

const FILE = { file: 'file', maxBytes: ({ UPLOAD_MAX_MB }: Config) => UPLOAD_MAX_MB * 1024 * 1024 };

const knowledgeBase = ({ params }: { params: Record<string, string> }) => ({ id: params.kb_id as string });

const readerErrors = [
  unreadableFile('it has no text'),
  fileTooLarge('file', getDefault('UPLOAD_MAX_MB')),
  quotaReached('knowledge_base_bytes', { limit: 1_000_000, used: 900_000 }, 200_000),
  readerFailed('its process was ended'),
  readersBusy(getDefault('DOCUMENT_WAIT_MS') / 1_000),
];

@ApiTags('Knowledge bases')
@Controller('api/knowledge-base/:kb_id/sources')
export class SourcesController {
  constructor(private readonly sources: SourcesService) {}

  @Post()
  @Unscoped()
  @Multipart(FILE)
  @Audited('knowledge_base.sources_added', knowledgeBase)
  @ApiRequestBody({ 'application/json': AddLinksForm, 'multipart/form-data': UploadedSourceForm })
  @Idempotent({ unknownOutcome: sourcesOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'addKnowledgeBaseSources',
    summary: 'Add sources to a knowledge base',
    description:
      'Adds one uploaded file (form) or links (JSON) to a knowledge base and returns the new sources. The ' +
      'file or the first link is read before the answer; other links and the search index follow in the ' +
      `background. A knowledge base has at most ${MAX_SOURCES} sources. Its \`type\` stays that of its ` +
      'creation, also if it has links and files.',
    cost: 'No credits. The file and its text count towards the quota of knowledge base bytes.',
    status: 201,
    message: 'Sources added',
    data: SourceDto,
    list: true,
    location: 'The knowledge base in the list: /api/knowledge-base?kb_id=…',
    errors: [
      ...readerErrors,
      sourcesLimitReached(MAX_SOURCES, MAX_SOURCES, 1),
      knowledgeBaseNotFound(),
      linkUnavailable('urls', answersWithStatus(404)),
    ],
  })
  add(
    @CurrentCaller() caller: Caller,
    @ClientAbortSignal() abortSignal: AbortSignal,
    @Param('kb_id') id: string,
    @Body() body: AddSourcesDto,
  ) {
    return this.sources.add(caller.workspaceId, id, body, abortSignal);
  }

  @Put(':source_id')
  @Unscoped()
  @Multipart(FILE)
  @Audited('knowledge_base.source_replaced', knowledgeBase)
  @ApiRequestBody({ 'application/json': ReplaceLinkForm, 'multipart/form-data': UploadedSourceForm })
  @Idempotent({ unknownOutcome: replacementOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'replaceKnowledgeBaseSource',
    summary: 'Replace a source of a knowledge base',
    description:
      'Replaces a file by another one (form), or fetches a link again or another one in its place (JSON). ' +
      'The source keeps its id. Its new content is read before the answer and indexed in the background; ' +
      'until then, and if that fails, a search finds the old content. `replacement` shows the new one. A ' +
      'later replacement ends an earlier one that is not complete.',
    cost:
      'No credits. Until the replacement is complete, both contents count towards the quota of knowledge ' +
      'base bytes.',
    status: 200,
    message: 'Source is being replaced',
    data: SourceDto,
    errors: [
      ...readerErrors,
      linkWithFile(),
      knowledgeBaseNotFound(),
      sourceNotFound(),
      linkUnavailable('url', answersWithStatus(404)),
    ],
  })
  replace(
    @CurrentCaller() caller: Caller,
    @ClientAbortSignal() abortSignal: AbortSignal,
    @Param('kb_id') knowledgeBaseId: string,
    @Param('source_id') sourceId: string,
    @Body() body: ReplaceSourceDto,
  ) {
    return this.sources.replace(caller.workspaceId, { knowledgeBaseId, sourceId }, body, abortSignal);
  }

  @Delete(':source_id')
  @Unscoped()
  @Audited('knowledge_base.source_deleted', knowledgeBase)
  @ApiEnvelopeResponse({
    operationId: 'deleteKnowledgeBaseSource',
    summary: 'Delete a source of a knowledge base',
    description:
      'Deletes the source with its file and its text. The last source cannot be deleted, so that an agent ' +
      'never has an empty knowledge base.',
    status: 200,
    message: 'Source deleted',
    data: 'empty',
    errors: [knowledgeBaseNotFound(), sourceNotFound(), lastSource()],
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('kb_id') knowledgeBaseId: string,
    @Param('source_id') sourceId: string,
  ) {
    return this.sources.remove(caller.workspaceId, knowledgeBaseId, sourceId);
  }
}
