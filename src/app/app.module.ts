import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AgentsModule } from '../agents/agents.module';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { CallRecordsModule } from '../call-records/call-records.module';
import { CallsModule } from '../calls/calls.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { DoNotCallModule } from '../do-not-call/do-not-call.module';
import { ErasuresModule } from '../erasures/erasures.module';
import { FairShare } from '../http/fair-share';
import { GracefulClose } from '../http/graceful-close';
import { RequestBodyReader } from '../http/request-body-reader';
import { RequestInterceptor } from '../http/request.interceptor';
import { BackgroundLoops, BackgroundLoopsModule } from '../background/background-loops';
import { RequestValidationPipe } from '../http/validation.pipe';
import { type Config, configModule } from '../config';
import { DatabaseExceptionFilter } from '../database/database-exception.filter';
import { DatabaseModule } from '../database/database.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { JobsModule } from '../background/jobs.module';
import { KnowledgeBaseModule } from '../knowledge-base/knowledge-base.module';
import { LiveModule } from '../live/live.module';
import { MessageBroker } from '../messaging/message-broker';
import { MessagingModule } from '../messaging/messaging.module';
import { MonitoringModule } from '../monitoring/monitoring.module';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module';
import { RetentionModule } from '../retention/retention.module';
import { RuntimeModule } from '../runtime/runtime.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { WorkersModule } from '../workers/workers.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';

@Module({
  imports: [
    // First, because Express tries the routes in this order, and calls are started most often.
    CallsModule,
    MonitoringModule,
    DatabaseModule,
    BackgroundLoopsModule,
    MessagingModule,
    JobsModule,
    IdempotencyModule,
    WorkspacesModule,
    AuthModule,
    AuditModule,
    PhoneNumbersModule,
    DoNotCallModule,
    KnowledgeBaseModule,
    AgentsModule,
    WebhooksModule,
    CallRecordsModule,
    CampaignsModule,
    RetentionModule,
    ErasuresModule,
    LiveModule,
    WorkersModule,
    RuntimeModule,
  ],
  providers: [
    GracefulClose,
    FairShare,
    RequestBodyReader,
    { provide: APP_INTERCEPTOR, useClass: RequestInterceptor },
    { provide: APP_PIPE, useClass: RequestValidationPipe },
    { provide: APP_FILTER, useClass: DatabaseExceptionFilter },
  ],
})
export class AppModule implements OnModuleDestroy {
  constructor(
    private readonly http: GracefulClose,
    private readonly broker: MessageBroker,
    private readonly loops: BackgroundLoops,
  ) {}

  static with(config: Config): DynamicModule {
    return { module: AppModule, imports: [configModule(config)] };
  }

  // Nest calls the root module first, so these stop before the hooks that wait.
  onModuleDestroy(): void {
    this.broker.stopConsuming();
    this.loops.stop();
    this.http.begin();
  }
}
