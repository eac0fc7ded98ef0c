import { findVersion, listVersions, type VersionStatements } from '../features/agents/agent-versions.sql';
import { FIND_AGENTS_QUOTA, FIND_PROMPT_TEMPLATES_QUOTA } from '../features/agents/quotas.sql';
import { isAssigned, isAssignedToAny } from '../features/agents/knowledge-base-assignments.sql';
import { FIND_API_KEYS_QUOTA, FIND_PEOPLE_QUOTA, FIND_SESSIONS_QUOTA } from '../accounts/auth/quotas.sql';
import { FIND_RECORDING_BYTES_QUOTA } from '../features/reports/recordings/quotas.sql';
import {
  type ReportStatements,
  setAnalyses,
  setRecordings,
} from '../features/reports/runtime-reports/call-reports.sql';
import type { CallCredentialStatements } from '../accounts/auth/call-credentials.sql';
import { findCallCredentials } from '../features/calls/lifecycle/find-call-credentials.sql';
import { claimCalls, type ClaimStatements } from '../features/calls/lifecycle/call-transitions.sql';
import { personsOfCalls } from '../features/calls/lifecycle/persons-of-calls.sql';
import { callsOfVersions } from '../features/calls/lifecycle/calls-of-versions.sql';
import { WAIT_FOR_CLAIMS } from '../features/calls/lifecycle/wait-for-claims.sql';
import { isCampaignStopped } from '../features/campaigns/api/is-stopped.sql';
import { FIND_RECIPIENTS_QUOTA } from '../features/campaigns/recipients/quotas.sql';
import type { ClaimsOfNumbers } from '../features/do-not-call/list-numbers.sql';
import { FIND_ENTRIES_QUOTA } from '../features/do-not-call/quotas.sql';
import { FIND_NOTES_QUOTA } from '../features/notes/quotas.sql';
import { FIND_SAVED_VIEWS_QUOTA } from '../features/saved-views/quotas.sql';
import { CREDENTIALS_OF_REHEARSALS } from '../features/rehearsals/runs/rehearsal-credentials.sql';
import { FIND_TOOLS_QUOTA } from '../features/tools/quotas.sql';
import { FIND_TRIALS_QUOTA } from '../features/trials/quotas.sql';
import { FIND_OPEN_ERASURES_QUOTA } from '../features/erasures/quotas.sql';
import type { AssignmentConditions } from '../features/knowledge-base/assignment-conditions.sql';
import { FIND_BYTES_QUOTA, FIND_KNOWLEDGE_BASES_QUOTA } from '../features/knowledge-base/quotas.sql';
import { FIND_PHONE_NUMBERS_QUOTA } from '../features/phone-numbers/quotas.sql';
import { daysOfAnalyses, daysOfRecordings } from '../features/retention/retention.sql';
import { FIND_ENDPOINTS_QUOTA, FIND_TEST_EVENTS_QUOTA } from '../features/webhooks/quotas.sql';
import { type CreditStatements, listEntries } from '../accounts/workspaces/credit-ledger.sql';
import { FIND_OWN_QUOTAS, type QuotaStatements } from '../accounts/workspaces/quotas.sql';

/*
 * A folder names no table of a folder above it. If one of its statements needs such a table, the folder above exports the
 * part of the statement that names it. This list has all of these statements, each with its reason.
 */

/** A claim is granted or refused under the lock of its call, and a campaign that was stopped must not place the call. */
export const CLAIM_STATEMENTS: ClaimStatements = { claim: claimCalls(isCampaignStopped) };

/** An answer about the do-not-call list promises that no claim of an earlier moment is granted after it. */
export const CLAIMS_OF_NUMBERS: ClaimsOfNumbers = { wait: WAIT_FOR_CLAIMS };

/** The list of an agent's versions says how many calls were started with each. */
export const VERSION_STATEMENTS: VersionStatements = {
  list: listVersions(callsOfVersions),
  find: findVersion(callsOfVersions),
};

/** The list of knowledge bases has a filter by agent, and its pages and total are those of one query. */
export const ASSIGNMENT_CONDITIONS: AssignmentConditions = { isAssigned, isAssignedToAny };

/** The credit ledger names the person of each call, as long as the call is kept. */
export const CREDIT_STATEMENTS: CreditStatements = { list: listEntries(personsOfCalls) };

/** The credential of a call is valid as long as the row of the call says. A runtime knows a rehearsal as a call. */
export const CALL_CREDENTIAL_STATEMENTS: CallCredentialStatements = {
  find: findCallCredentials(CREDENTIALS_OF_REHEARSALS),
};

/** A report that comes after its time is refused by the statement that would store it. */
export const REPORT_STATEMENTS: ReportStatements = {
  setRecordings: setRecordings(daysOfRecordings),
  setAnalyses: setAnalyses(daysOfAnalyses),
};

/** A quota is counted by the feature that creates what it limits, under the lock that workspaces/ takes. */
export const QUOTA_STATEMENTS: QuotaStatements = {
  find: {
    ...FIND_OWN_QUOTAS,
    agents: FIND_AGENTS_QUOTA,
    knowledge_base_bytes: FIND_BYTES_QUOTA,
    recording_bytes: FIND_RECORDING_BYTES_QUOTA,
    api_keys: FIND_API_KEYS_QUOTA,
    phone_numbers: FIND_PHONE_NUMBERS_QUOTA,
    recipients: FIND_RECIPIENTS_QUOTA,
    knowledge_bases: FIND_KNOWLEDGE_BASES_QUOTA,
    prompt_templates: FIND_PROMPT_TEMPLATES_QUOTA,
    tools: FIND_TOOLS_QUOTA,
    sessions: FIND_SESSIONS_QUOTA,
    people: FIND_PEOPLE_QUOTA,
    open_erasures: FIND_OPEN_ERASURES_QUOTA,
    do_not_call_entries: FIND_ENTRIES_QUOTA,
    notes: FIND_NOTES_QUOTA,
    saved_views: FIND_SAVED_VIEWS_QUOTA,
    trials: FIND_TRIALS_QUOTA,
    webhook_endpoints: FIND_ENDPOINTS_QUOTA,
    webhook_test_events: FIND_TEST_EVENTS_QUOTA,
  },
};
