import { Module } from '@nestjs/common';
import { StreamedAnswersModule } from '../../platform/http/streamed-answers.module';
import { LiveController } from './live.controller';
import { LiveRepository } from './live.repository';
import { LiveStreams } from './live-streams';

@Module({
  imports: [StreamedAnswersModule],
  controllers: [LiveController],
  providers: [LiveRepository, LiveStreams],
})
export class LiveModule {}
