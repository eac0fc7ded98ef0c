import { Module } from '@nestjs/common';
import { scopedRepository } from '../database/workspace-scoped.repository';
import { PhoneNumber } from './phone-number.entity';
import { PhoneNumbersController } from './phone-numbers.controller';
import { PhoneNumbersService } from './phone-numbers.service';

const numbers = scopedRepository(PhoneNumber);

@Module({
  imports: numbers.imports,
  controllers: [PhoneNumbersController],
  providers: [...numbers.providers, PhoneNumbersService],
  exports: [PhoneNumbersService],
})
export class PhoneNumbersModule {}
