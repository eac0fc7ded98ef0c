import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { LiveController } from './live.controller';
import { LiveRepository } from './live.repository';
import { LiveStreams } from './live-streams';

@Module({
  imports: [AuthModule],
  controllers: [LiveController],
  providers: [LiveRepository, LiveStreams],
})
export class LiveModule {}
