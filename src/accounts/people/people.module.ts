import { Module } from '@nestjs/common';
import { CredentialsModule } from '../auth/credentials.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { PeopleController } from './people.controller';
import { PeopleRepository } from './people.repository';
import { PeopleService } from './people.service';

@Module({
  imports: [CredentialsModule, WorkspacesModule],
  controllers: [PeopleController],
  providers: [PeopleRepository, PeopleService],
  exports: [PeopleRepository, PeopleService],
})
export class PeopleModule {}
