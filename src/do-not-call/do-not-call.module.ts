import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { DoNotCallController } from './do-not-call.controller';
import { DoNotCallRepository } from './do-not-call.repository';
import { DoNotCallService } from './do-not-call.service';
import { ExpiredEntriesCleaner } from './expired-entries-cleaner';

@Module({
  imports: [WorkspacesModule],
  controllers: [DoNotCallController],
  providers: [DoNotCallRepository, DoNotCallService, ExpiredEntriesCleaner],
})
export class DoNotCallModule {}
