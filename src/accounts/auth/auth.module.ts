import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { ThrottlerModule } from '@nestjs/throttler';
import { CredentialCheck } from '../../platform/http/lasting-access';
import { PublicRequests } from '../../platform/http/public-requests';
import { AuthController } from './auth.controller';
import { CallCredentials } from './call-credentials';
import { CallCredentialsRepository } from './call-credentials.repository';
import { CredentialsModule } from './credentials.module';
import { FixedWindowStorage, getLimit, RATE_WINDOW_MS, RateLimitGuard } from './rate-limit';
import { ApiKeyStrategy, BearerStrategy } from './passport.strategies';
import { TokenVerificationKeys } from './token-verification-keys';
import { LastUses } from './last-uses';
import { LastUsesRepository } from './last-uses.repository';
import { SessionAuthentication } from './session-authentication';
import { SessionCleaner } from './session-cleaner';
import { SessionCookie } from './session-cookie';
import { SessionsController } from './sessions.controller';
import { WorkspaceGuard } from './workspace.guard';
import { WrongCredentials } from './wrong-credentials';

@Module({
  imports: [
    PassportModule,
    CredentialsModule,
    ThrottlerModule.forRootAsync({
      useFactory: () => ({
        throttlers: [{ limit: getLimit, ttl: RATE_WINDOW_MS }],
        storage: new FixedWindowStorage(),
      }),
    }),
  ],
  controllers: [AuthController, SessionsController],
  providers: [
    TokenVerificationKeys,
    PublicRequests,
    LastUses,
    LastUsesRepository,
    SessionCleaner,
    SessionAuthentication,
    SessionCookie,
    WrongCredentials,
    ApiKeyStrategy,
    CallCredentials,
    CallCredentialsRepository,
    BearerStrategy,
    WorkspaceGuard,
    { provide: APP_GUARD, useExisting: WorkspaceGuard },
    { provide: CredentialCheck, useExisting: WorkspaceGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [PublicRequests, WorkspaceGuard, WrongCredentials],
})
export class AuthModule {}
