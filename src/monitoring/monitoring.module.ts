import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { CONFIG, type Config } from '../config';
import { ApplicationLogger } from './application-logger';
import { HealthController } from './health.controller';
import { HealthRepository } from './health.repository';
import { HealthService } from './health.service';
import { loggerParams } from './logging';
import { CATCH_ALL_PATH, Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { RequestLogMiddleware } from './request-log.middleware';

@Module({
  imports: [
    LoggerModule.forRootAsync({ inject: [CONFIG], useFactory: (config: Config) => loggerParams(config) }),
  ],
  controllers: [HealthController, MetricsController],
  providers: [ApplicationLogger, HealthRepository, HealthService, Metrics],
  exports: [Metrics],
})
export class MonitoringModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(RequestLogMiddleware).forRoutes(CATCH_ALL_PATH);
  }
}
