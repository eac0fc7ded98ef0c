import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { ThrottlerModule } from '@nestjs/throttler';
import { CONFIG, type Config } from '../config';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { ApiKey } from './api-key.entity';
import { ApiKeysService } from './api-keys.service';
import { AuthController } from './auth.controller';
import { FixedWindowStorage, RATE_WINDOW_MS, RateLimitGuard } from './rate-limit';
import { ApiKeyStrategy, BearerStrategy } from './strategies';
import { TokensService } from './tokens.service';
import { WorkspaceGuard } from './workspace.guard';

const keys = scopedRepository(ApiKey);

@Module({
  imports: [
    WorkspacesModule,
    PassportModule,
    ThrottlerModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({
        throttlers: [{ limit: config.RATE_LIMIT_PER_MINUTE, ttl: RATE_WINDOW_MS }],
        storage: new FixedWindowStorage(),
      }),
    }),
    ...keys.imports,
  ],
  controllers: [AuthController],
  providers: [
    ...keys.providers,
    ApiKeysService,
    TokensService,
    ApiKeyStrategy,
    BearerStrategy,
    { provide: APP_GUARD, useClass: WorkspaceGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [ApiKeysService, TokensService],
})
export class AuthModule {}
