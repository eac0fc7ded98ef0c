import { type DynamicModule, Module } from '@nestjs/common';
import { CONFIG, type Config } from './config';

@Module({})
class ConfigModule {}

/** Makes the settings injectable everywhere, under CONFIG. */
export const configModule = (config: Config): DynamicModule => ({
  module: ConfigModule,
  global: true,
  providers: [{ provide: CONFIG, useValue: config }],
  exports: [CONFIG],
});
