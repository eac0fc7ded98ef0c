import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiConsumes, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../common/access';
import { Answers } from '../common/envelope';
import { Multipart } from '../common/multipart';
import {
  CreateKnowledgeBaseDto,
  FoundPassageDto,
  KnowledgeBaseDto,
  ListKnowledgeBasesQuery,
  SearchQuery,
} from './knowledge-base.dto';
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
  @ApiConsumes('application/json', 'multipart/form-data')
  @Answers({
    status: 201,
    message: 'Knowledge base created',
    data: 'empty',
    location: 'The new knowledge base in the list: /api/knowledge-base?kb_id=…',
    errors: [400, 401, 403, 409, 422, 500],
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateKnowledgeBaseDto) {
    return this.knowledgeBases.create(caller.workspaceId, body);
  }

  @Get()
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Knowledge bases',
    data: KnowledgeBaseDto,
    list: true,
    paginated: true,
    errors: [400, 401, 403, 500],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListKnowledgeBasesQuery) {
    return this.knowledgeBases.list(caller.workspaceId, query);
  }

  @Delete(':kb_id')
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Knowledge base deleted',
    data: 'empty',
    errors: [400, 401, 403, 404, 500],
  })
  remove(@CurrentCaller() caller: Caller, @Param('kb_id') id: string) {
    return this.knowledgeBases.remove(caller.workspaceId, id);
  }

  @Get(':kb_id/search')
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Passages',
    data: FoundPassageDto,
    list: true,
    errors: [400, 401, 403, 404, 500],
  })
  search(@CurrentCaller() caller: Caller, @Param('kb_id') id: string, @Query() query: SearchQuery) {
    return this.passages.search(caller.workspaceId, id, query);
  }
}
