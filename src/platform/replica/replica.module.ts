import { Global, Module } from '@nestjs/common';
import { MonitoringModule } from '../monitoring/monitoring.module';
import { Replica } from './replica';
import { ReplicaTimestampLoop } from './replica-timestamp-loop';
import { ReplicaTimestampRepository } from './replica-timestamp.repository';

@Global()
@Module({
  imports: [MonitoringModule],
  providers: [Replica, ReplicaTimestampLoop, ReplicaTimestampRepository],
  exports: [Replica],
})
export class ReplicaModule {}
