import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { DoNotCallController } from './do-not-call.controller';
import { DoNotCallRepository } from './do-not-call.repository';
import { DoNotCallService } from './do-not-call.service';
import { ExpiredEntriesCleaner } from './expired-entries-cleaner';
import { NumbersImport } from './numbers-import';
import { NumbersStageRepository } from './numbers-stage.repository';
import { TransferNumbers } from './transfer-numbers';

@Module({
  imports: [WorkspacesModule],
  controllers: [DoNotCallController],
  providers: [
    DoNotCallRepository,
    DoNotCallService,
    ExpiredEntriesCleaner,
    NumbersImport,
    NumbersStageRepository,
    TransferNumbers,
  ],
  exports: [DoNotCallService, TransferNumbers],
})
export class DoNotCallModule {}
