import { Module } from '@nestjs/common';
import { ScanPermits } from './may-scan';

/** The permits are one object, which routes and tools share. */
@Module({ providers: [ScanPermits], exports: [ScanPermits] })
export class ScanPermitsModule {}
