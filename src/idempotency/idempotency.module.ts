import { Global, Module } from '@nestjs/common';
import { ExpiredKeysCleaner } from './expired-keys-cleaner';
import { IdempotencyRepository } from './idempotency.repository';
import { IdempotencyService } from './idempotency.service';

@Global()
@Module({
  providers: [IdempotencyRepository, IdempotencyService, ExpiredKeysCleaner],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
