import { Global, Module, type ValueProvider } from '@nestjs/common';
import { VersionStatements } from '../features/agents/agent-versions.sql';
import { ReportStatements } from '../features/reports/runtime-reports/call-reports.sql';
import { CallCredentialStatements } from '../accounts/auth/call-credentials.sql';
import { ClaimStatements } from '../features/calls/lifecycle/call-transitions.sql';
import { ClaimsOfNumbers } from '../features/do-not-call/list-numbers.sql';
import { AssignmentConditions } from '../features/knowledge-base/assignment-conditions.sql';
import { CreditStatements } from '../accounts/workspaces/credit-ledger.sql';
import { QuotaStatements } from '../accounts/workspaces/quotas.sql';
import {
  ASSIGNMENT_CONDITIONS,
  CALL_CREDENTIAL_STATEMENTS,
  CLAIM_STATEMENTS,
  CLAIMS_OF_NUMBERS,
  CREDIT_STATEMENTS,
  QUOTA_STATEMENTS,
  REPORT_STATEMENTS,
  VERSION_STATEMENTS,
} from './read-models.sql';

const providers: ValueProvider[] = [
  { provide: AssignmentConditions, useValue: ASSIGNMENT_CONDITIONS },
  { provide: CallCredentialStatements, useValue: CALL_CREDENTIAL_STATEMENTS },
  { provide: ClaimStatements, useValue: CLAIM_STATEMENTS },
  { provide: ClaimsOfNumbers, useValue: CLAIMS_OF_NUMBERS },
  { provide: CreditStatements, useValue: CREDIT_STATEMENTS },
  { provide: QuotaStatements, useValue: QUOTA_STATEMENTS },
  { provide: ReportStatements, useValue: REPORT_STATEMENTS },
  { provide: VersionStatements, useValue: VERSION_STATEMENTS },
];

/** Gives the repositories of lower folders the statements that need parts of higher folders. */
@Global()
@Module({ providers, exports: providers })
export class ReadModelsModule {}
