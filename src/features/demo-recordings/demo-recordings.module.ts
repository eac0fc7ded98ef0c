import { Module } from '@nestjs/common';
import { DemoRecordings } from './demo-recordings';

@Module({ providers: [DemoRecordings], exports: [DemoRecordings] })
export class DemoRecordingsModule {}
