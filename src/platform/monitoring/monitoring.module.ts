import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { CONFIG, type Config } from '../../config';
import { ApplicationLogger } from './application-logger';
import { ConnectionAges } from './connection-ages';
import { HealthController } from './health.controller';
import { HealthRepository } from './health.repository';
import { HealthService } from './health.service';
import { loggerParams } from './logging';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { MonitoringServer } from './monitoring-server';
import { RequestLog } from './request-log';

@Module({
  imports: [
    LoggerModule.forRootAsync({ inject: [CONFIG], useFactory: (config: Config) => loggerParams(config) }),
  ],
  controllers: [HealthController, MetricsController],
  providers: [
    ApplicationLogger,
    ConnectionAges,
    HealthRepository,
    HealthService,
    Metrics,
    MonitoringServer,
    RequestLog,
  ],
  exports: [Metrics],
})
export class MonitoringModule {}
