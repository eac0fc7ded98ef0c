import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import type { SavedViewDto, SaveViewDto } from './saved-views.dto';
import { savedViewNotFound } from './saved-views.errors';
import { SavedViewsRepository, type StoredView } from './saved-views.repository';

const presentSavedView = ({ id, updatedBy, updatedAt, ...view }: StoredView): SavedViewDto => ({
  view_id: id,
  ...view,
  updated_by: updatedBy,
  updated_at: updatedAt,
});

@Injectable()
export class SavedViewsService {
  constructor(
    private readonly views: SavedViewsRepository,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  async list(workspaceId: string, page?: SaveViewDto['page']): Promise<SavedViewDto[]> {
    return (await this.views.list(workspaceId, page)).map(presentSavedView);
  }

  /**
   * Saves a view, or replaces the one with its page and name.
   * @throws 403 if the workspace has too many
   */
  save(workspaceId: string, view: SaveViewDto): Promise<SavedViewDto> {
    return this.database.transaction(async (transaction) => {
      const replaced = await this.views.replace(workspaceId, view, transaction);
      if (replaced) return presentSavedView(replaced);
      await this.quotas.assertWithinQuota(workspaceId, 'saved_views', transaction);
      return presentSavedView(await this.views.add(workspaceId, view, transaction));
    });
  }

  /** @throws 404 */
  delete(workspaceId: string, id: string): Promise<{ name: string }> {
    return this.database.transaction(async (transaction) => {
      const deleted = await this.views.delete(workspaceId, id, transaction);
      if (!deleted) throw savedViewNotFound();
      return deleted;
    });
  }
}
