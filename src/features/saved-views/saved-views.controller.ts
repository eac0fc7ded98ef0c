import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { Audited } from '../../accounts/audit/audited';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { ListSavedViewsQuery, SavedViewDto, SaveViewDto } from './saved-views.dto';
import { savedViewNotFound } from './saved-views.errors';
import { SavedViewsService } from './saved-views.service';

@ApiTags('Saved views')
@Controller('api/saved-views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listSavedViews',
    summary: 'List saved views',
    description:
      'Lists the choices of pages of the console that people of the workspace have saved, by their names.',
    status: 200,
    message: 'Saved views',
    data: SavedViewDto,
    list: true,
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() { page }: ListSavedViewsQuery) {
    return this.views.list(workspaceId, page);
  }

  @Put()
  @Unscoped({ operates: true })
  @Audited<SavedViewDto>('saved_view.saved', ({ result: { view_id, name } }) => ({ id: view_id, name }))
  @ApiRequestBody(SaveViewDto)
  @ApiEnvelopeResponse({
    operationId: 'saveView',
    summary: 'Save a view',
    description:
      'Saves choices of a page under a name for all people of the workspace, or replaces those with the name.',
    cost: 'No credits. A workspace can have 200 saved views.',
    status: 200,
    message: 'View saved',
    data: SavedViewDto,
    errors: [quotaReached('saved_views', { limit: 200, used: 200 })],
  })
  save(@CurrentCaller() { workspaceId }: Caller, @Body() body: SaveViewDto) {
    return this.views.save(workspaceId, body);
  }

  @Delete(':view_id')
  @Unscoped({ operates: true })
  @Audited<{ name: string }>('saved_view.deleted', ({ params, result: { name } }) => ({
    id: params.view_id as string,
    name,
  }))
  @ApiEnvelopeResponse({
    operationId: 'deleteSavedView',
    summary: 'Delete a saved view',
    description: 'Deletes a view for all people of the workspace.',
    status: 200,
    message: 'Saved view deleted',
    errors: [savedViewNotFound()],
  })
  delete(@CurrentCaller() { workspaceId }: Caller, @Param('view_id') viewId: string) {
    return this.views.delete(workspaceId, viewId);
  }
}
