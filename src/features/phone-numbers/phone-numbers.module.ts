import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../../accounts/workspaces/workspaces.module';
import { PhoneNumbersController } from './phone-numbers.controller';
import { PhoneNumbersRepository } from './phone-numbers.repository';
import { PhoneNumbersService } from './phone-numbers.service';

@Module({
  imports: [WorkspacesModule],
  controllers: [PhoneNumbersController],
  providers: [PhoneNumbersRepository, PhoneNumbersService],
  exports: [PhoneNumbersService],
})
export class PhoneNumbersModule {}
