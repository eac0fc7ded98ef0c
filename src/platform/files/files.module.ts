import { Global, Module } from '@nestjs/common';
import { join } from 'node:path';
import { CONFIG, type Config } from '../../config';
import { FileStorage } from './file-storage';
import { LocalFileStorage } from './local-file-storage';

@Global()
@Module({
  providers: [
    {
      provide: FileStorage,
      inject: [CONFIG],
      useFactory: ({ PARLEY_DATA }: Config) => new LocalFileStorage(join(PARLEY_DATA, 'files')),
    },
  ],
  exports: [FileStorage],
})
export class FilesModule {}
