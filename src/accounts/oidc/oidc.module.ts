import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { CredentialsModule } from '../auth/credentials.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { IdentityProvider } from './identity-provider';
import { OidcController } from './oidc.controller';
import { OidcService } from './oidc.service';
import { PeopleOfIdentityRepository } from './people-of-identity.repository';

@Module({
  imports: [AuthModule, CredentialsModule, WorkspacesModule],
  controllers: [OidcController],
  providers: [IdentityProvider, OidcService, PeopleOfIdentityRepository],
})
export class OidcModule {}
