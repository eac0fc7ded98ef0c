import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { ToolsController } from './tools.controller';
import { ToolsRepository } from './tools.repository';
import { ToolsService } from './tools.service';

@Module({
  imports: [WorkspacesModule],
  controllers: [ToolsController],
  providers: [ToolsRepository, ToolsService],
  exports: [ToolsService],
})
export class ToolsModule {}
