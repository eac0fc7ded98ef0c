import { Module } from '@nestjs/common';
import { ReportsModule } from '../reports/reports.module';
import { CallRollupsModule } from '../calls/call-rollups.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { RetentionCleaner } from './retention-cleaner';
import { RetentionController } from './retention.controller';
import { RetentionRepository } from './retention.repository';
import { RetentionService } from './retention.service';

@Module({
  imports: [ReportsModule, CallRollupsModule, CampaignsModule],
  controllers: [RetentionController],
  providers: [RetentionCleaner, RetentionRepository, RetentionService],
})
export class RetentionModule {}
