import { Module } from '@nestjs/common';
import { CallStatisticsController } from './call-statistics.controller';
import { CallStatisticsRepository } from './call-statistics.repository';
import { CallStatisticsService } from './call-statistics.service';

@Module({
  controllers: [CallStatisticsController],
  providers: [CallStatisticsRepository, CallStatisticsService],
})
export class ReportsModule {}
