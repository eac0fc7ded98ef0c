import { Module } from '@nestjs/common';
import { CreditLedgerRepository } from './credit-ledger.repository';
import { QuotasRepository } from './quotas.repository';
import { QuotasService } from './quotas.service';
import { WorkspacesController } from './workspaces.controller';
import { WorkspacesRepository } from './workspaces.repository';
import { WorkspacesService } from './workspaces.service';

@Module({
  controllers: [WorkspacesController],
  providers: [
    CreditLedgerRepository,
    QuotasRepository,
    QuotasService,
    WorkspacesRepository,
    WorkspacesService,
  ],
  exports: [QuotasService, WorkspacesService],
})
export class WorkspacesModule {}
