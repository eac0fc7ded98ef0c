import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { DoNotCallController } from './do-not-call.controller';
import { DoNotCallRepository } from './do-not-call.repository';
import { DoNotCallService } from './do-not-call.service';
import { ExpiredEntriesCleaner } from './expired-entries-cleaner';
import { NumbersImport } from './numbers-import';
import { NumbersStageRepository } from './numbers-stage.repository';

@Module({
  imports: [WorkspacesModule],
  controllers: [DoNotCallController],
  providers: [
    DoNotCallRepository,
    DoNotCallService,
    ExpiredEntriesCleaner,
    NumbersImport,
    NumbersStageRepository,
  ],
  exports: [DoNotCallService],
})
export class DoNotCallModule {}
