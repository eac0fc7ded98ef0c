import { Module } from '@nestjs/common';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { ApiKey } from './api-key.entity';
import { ApiKeysService } from './api-keys.service';
import { TokensService } from './tokens.service';

const keys = scopedRepository(ApiKey);

/** Makes and ends credentials; the operator's command line needs no more than this. */
@Module({
  imports: [...keys.imports, WorkspacesModule],
  providers: [...keys.providers, ApiKeysService, TokensService],
  exports: [ApiKeysService, TokensService],
})
export class CredentialsModule {}
