import { type DynamicModule, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AgentsModule } from './agents/agents.module';
import { AuthModule } from './auth/auth.module';
import { CallsModule } from './calls/calls.module';
import { CampaignsModule } from './campaigns/campaigns.module';
import { EnvelopeInterceptor } from './common/envelope';
import { EnvelopeExceptionFilter } from './common/exception.filter';
import { MultipartInterceptor } from './common/multipart';
import { RequestValidationPipe } from './common/validation';
import { jsonBody } from './common/json-body';
import type { Config } from './config';
import { configModule } from './config.module';
import { DatabaseModule } from './database/database.module';
import { JobsModule } from './jobs/jobs.module';
import { KnowledgeBaseModule } from './knowledge-base/knowledge-base.module';
import { MessagingModule } from './messaging/messaging.module';
import { MonitoringModule } from './monitoring/monitoring.module';
import { PhoneNumbersModule } from './phone-numbers/phone-numbers.module';
import { ReportsModule } from './reports/reports.module';
import { RuntimeModule } from './runtime/runtime.module';
import { WorkspacesModule } from './workspaces/workspaces.module';

const BODY_LIMIT = '1mb';

@Module({
  imports: [
    MonitoringModule,
    DatabaseModule,
    MessagingModule,
    JobsModule,
    WorkspacesModule,
    AuthModule,
    PhoneNumbersModule,
    KnowledgeBaseModule,
    AgentsModule,
    CallsModule,
    CampaignsModule,
    ReportsModule,
    RuntimeModule,
  ],
  providers: [
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_INTERCEPTOR, useClass: MultipartInterceptor },
    { provide: APP_PIPE, useClass: RequestValidationPipe },
    { provide: APP_FILTER, useClass: EnvelopeExceptionFilter },
  ],
})
export class AppModule implements NestModule {
  static with(config: Config): DynamicModule {
    return { module: AppModule, imports: [configModule(config)] };
  }

  configure(consumer: MiddlewareConsumer) {
    // A middleware of the module rather than of the application, so that it comes after the logger's: a body that
    // can't be read is logged too, and its answer has a request id.
    consumer.apply(jsonBody(BODY_LIMIT)).forRoutes('{*path}');
  }
}
