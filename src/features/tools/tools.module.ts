import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { McpClient } from './mcp-client';
import { ToolPlaces } from './tool-places';
import { ToolsController } from './tools.controller';
import { ToolsRepository } from './tools.repository';
import { ToolsService } from './tools.service';

@Module({
  imports: [WorkspacesModule],
  controllers: [ToolsController],
  providers: [ToolsRepository, ToolsService, McpClient, ToolPlaces],
  exports: [ToolsService, McpClient, ToolPlaces],
})
export class ToolsModule {}
