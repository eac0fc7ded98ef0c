import { Module } from '@nestjs/common';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { PhoneNumber } from './phone-number.entity';
import { PhoneNumbersController } from './phone-numbers.controller';
import { PhoneNumbersService } from './phone-numbers.service';

const numbers = scopedRepository(PhoneNumber);

@Module({
  imports: [...numbers.imports, WorkspacesModule],
  controllers: [PhoneNumbersController],
  providers: [...numbers.providers, PhoneNumbersService],
  exports: [PhoneNumbersService],
})
export class PhoneNumbersModule {}
