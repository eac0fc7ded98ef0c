import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../config';
import { dataSourceOptions } from './data-source';
import { Sql } from './sql';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: (config: Config) => ({ ...dataSourceOptions(config), retryAttempts: 3, retryDelay: 1_000 }),
    }),
  ],
  providers: [Sql],
  exports: [Sql],
})
export class DatabaseModule {}
