import { Global, Module } from '@nestjs/common';
import { ExpiredKeys } from './expired-keys';
import { IdempotencyService } from './idempotency.service';

@Global()
@Module({ providers: [IdempotencyService, ExpiredKeys], exports: [IdempotencyService] })
export class IdempotencyModule {}
