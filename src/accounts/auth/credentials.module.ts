import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { ApiKeysRepository } from './api-keys.repository';
import { ApiKeysService } from './api-keys.service';
import { SessionsRepository } from './sessions.repository';
import { SessionsService } from './sessions.service';
import { TokensRepository } from './tokens.repository';
import { TokensService } from './tokens.service';

/** Creates and revokes credentials. The command line of the operator uses it without the rest of `auth`. */
@Module({
  imports: [WorkspacesModule],
  providers: [
    ApiKeysRepository,
    ApiKeysService,
    TokensRepository,
    TokensService,
    SessionsRepository,
    SessionsService,
  ],
  exports: [ApiKeysRepository, ApiKeysService, TokensService, SessionsService, SessionsRepository],
})
export class CredentialsModule {}
