import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { DoNotCallController } from './do-not-call.controller';
import { DoNotCallRepository } from './do-not-call.repository';
import { DoNotCallService } from './do-not-call.service';

@Module({
  imports: [WorkspacesModule],
  controllers: [DoNotCallController],
  providers: [DoNotCallRepository, DoNotCallService],
})
export class DoNotCallModule {}
