import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { SavedViewsController } from './saved-views.controller';
import { SavedViewsRepository } from './saved-views.repository';
import { SavedViewsService } from './saved-views.service';

@Module({
  imports: [WorkspacesModule],
  controllers: [SavedViewsController],
  providers: [SavedViewsRepository, SavedViewsService],
})
export class SavedViewsModule {}
