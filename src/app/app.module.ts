import { type DynamicModule, Module, type OnModuleDestroy } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AgentsModule } from '../features/agents/agents.module';
import { AuditModule } from '../accounts/audit/audit.module';
import { AuthModule } from '../accounts/auth/auth.module';
import { OidcModule } from '../accounts/oidc/oidc.module';
import { PeopleModule } from '../accounts/people/people.module';
import { ReportsModule } from '../features/reports/reports.module';
import { CallsModule } from '../features/calls/calls.module';
import { CampaignsModule } from '../features/campaigns/campaigns.module';
import { DoNotCallModule } from '../features/do-not-call/do-not-call.module';
import { ErasuresModule } from '../features/erasures/erasures.module';
import { FairShare } from '../platform/http/fair-share';
import { ScanPermitsModule } from '../platform/http/scan-permits.module';
import { GracefulClose } from '../platform/http/graceful-close';
import { RequestBodyReader } from '../platform/http/request-body-reader';
import { RequestInterceptor } from '../platform/http/request.interceptor';
import { StreamedAnswersModule } from '../platform/http/streamed-answers.module';
import { BackgroundLoops, BackgroundLoopsModule } from '../platform/background/background-loops';
import { RequestValidationPipe } from '../platform/http/validation.pipe';
import { type Config, configModule } from '../config';
import { DatabaseExceptionFilter } from '../platform/database/database-exception.filter';
import { DatabaseModule } from '../platform/database/database.module';
import { IdempotencyModule } from '../accounts/idempotency/idempotency.module';
import { JobsModule } from '../platform/background/jobs.module';
import { KnowledgeBaseModule } from '../features/knowledge-base/knowledge-base.module';
import { LiveModule } from '../features/live/live.module';
import { McpModule } from '../features/mcp/mcp.module';
import { MessageBroker } from '../platform/messaging/message-broker';
import { MessagingModule } from '../platform/messaging/messaging.module';
import { MonitoringModule } from '../platform/monitoring/monitoring.module';
import { NotesModule } from '../features/notes/notes.module';
import { SavedViewsModule } from '../features/saved-views/saved-views.module';
import { ToolInvocationsModule } from '../features/tool-invocations/tool-invocations.module';
import { CodeModule } from '../features/code/code.module';
import { PublishingModule } from '../features/publishing/publishing.module';
import { RehearsalsModule } from '../features/rehearsals/rehearsals.module';
import { ToolsModule } from '../features/tools/tools.module';
import { PhoneNumbersModule } from '../features/phone-numbers/phone-numbers.module';
import { ReadModelsModule } from '../read-models/read-models.module';
import { VerificationLoopModule } from '../features/verification/verification-loop.module';
import { ReplicaModule } from '../platform/replica/replica.module';
import { RetentionModule } from '../features/retention/retention.module';
import { RuntimeModule } from '../tools/simulated-runtime/runtime.module';
import { TrialsModule } from '../features/trials/trials.module';
import { VoiceRuntimeModule } from '../tools/voice-runtime/voice-runtime.module';
import { WebhookEndpointsModule } from '../features/webhook-endpoints/webhook-endpoints.module';
import { WebhooksModule } from '../features/webhooks/webhooks.module';
import { RuntimesModule } from '../features/runtimes/runtimes.module';
import { WorkspacesModule } from '../accounts/workspaces/workspaces.module';

@Module({
  imports: [
    // First, because Express tries the routes in this order, and calls are started most often.
    CallsModule,
    MonitoringModule,
    DatabaseModule,
    ReadModelsModule,
    BackgroundLoopsModule,
    MessagingModule,
    JobsModule,
    ReplicaModule,
    IdempotencyModule,
    WorkspacesModule,
    AuthModule,
    PeopleModule,
    OidcModule,
    AuditModule,
    PhoneNumbersModule,
    DoNotCallModule,
    KnowledgeBaseModule,
    AgentsModule,
    WebhooksModule,
    WebhookEndpointsModule,
    ReportsModule,
    CampaignsModule,
    RetentionModule,
    VerificationLoopModule,
    NotesModule,
    SavedViewsModule,
    ToolsModule,
    PublishingModule,
    RehearsalsModule,
    CodeModule,
    ToolInvocationsModule,
    TrialsModule,
    ErasuresModule,
    LiveModule,
    StreamedAnswersModule,
    ScanPermitsModule,
    RuntimesModule,
    McpModule,
    RuntimeModule,
    VoiceRuntimeModule,
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
