import { Global, Module } from '@nestjs/common';
import { ExpiredKeysCleaner } from './expired-keys-cleaner';
import { IdempotencyRepository } from './idempotency.repository';
import { IdempotencyService } from './idempotency.service';
import { IdempotentHandler } from './idempotent';

@Global()
@Module({
  providers: [IdempotencyRepository, IdempotencyService, IdempotentHandler, ExpiredKeysCleaner],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
