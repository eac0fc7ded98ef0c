import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../../config';
import { dataSourceOptions } from './data-source';
import { Database } from './database';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({ ...dataSourceOptions(config), retryAttempts: 3, retryDelay: 1_000 }),
    }),
  ],
  providers: [Database],
  exports: [Database],
})
export class DatabaseModule {}
