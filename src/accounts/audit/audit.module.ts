import { Module } from '@nestjs/common';
import { AuditCleaner } from './audit-cleaner';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';
import { AuditService } from './audit.service';

@Module({
  controllers: [AuditController],
  providers: [AuditRepository, AuditService, AuditCleaner],
})
export class AuditModule {}
