import { Module } from '@nestjs/common';
import { QuotasService } from './quotas.service';
import { WorkspacesController } from './workspaces.controller';
import { WorkspacesService } from './workspaces.service';

@Module({
  controllers: [WorkspacesController],
  providers: [WorkspacesService, QuotasService],
  exports: [WorkspacesService, QuotasService],
})
export class WorkspacesModule {}
