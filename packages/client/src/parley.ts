import { checkOptions, type ParleyOptions } from './options';
import { Requests } from './requests';
import { Agents } from './resources/agents';
import { Audit } from './resources/audit';
import { Calls } from './resources/calls';
import { Campaigns } from './resources/campaigns';
import { Code } from './resources/code';
import { DoNotCall } from './resources/do-not-call';
import { KnowledgeBases } from './resources/knowledge-bases';
import { People } from './resources/people';
import { PhoneNumbers } from './resources/phone-numbers';
import { RehearsalRuns } from './resources/rehearsal-runs';
import { Rehearsals } from './resources/rehearsals';
import { Reports } from './resources/reports';
import { Templates } from './resources/templates';
import { ToolInvocations } from './resources/tool-invocations';
import { Tools } from './resources/tools';
import { Webhooks } from './resources/webhooks';
import { Workspace } from './resources/workspace';

/** The client of one workspace. */
export class Parley {
  readonly agents: Agents;
  readonly audit: Audit;
  readonly calls: Calls;
  readonly campaigns: Campaigns;
  readonly code: Code;
  readonly doNotCall: DoNotCall;
  readonly knowledgeBases: KnowledgeBases;
  readonly people: People;
  readonly phoneNumbers: PhoneNumbers;
  readonly rehearsalRuns: RehearsalRuns;
  readonly rehearsals: Rehearsals;
  readonly reports: Reports;
  readonly templates: Templates;
  readonly toolInvocations: ToolInvocations;
  readonly tools: Tools;
  readonly webhooks: Webhooks;
  readonly workspace: Workspace;

  /** @throws TypeError for an option that is not valid; nothing is requested yet */
  constructor(options: ParleyOptions) {
    const requests = new Requests(checkOptions(options));
    this.agents = new Agents(requests);
    this.audit = new Audit(requests);
    this.calls = new Calls(requests);
    this.campaigns = new Campaigns(requests);
    this.code = new Code(requests);
    this.doNotCall = new DoNotCall(requests);
    this.knowledgeBases = new KnowledgeBases(requests);
    this.people = new People(requests);
    this.phoneNumbers = new PhoneNumbers(requests);
    this.rehearsalRuns = new RehearsalRuns(requests);
    this.rehearsals = new Rehearsals(requests);
    this.reports = new Reports(requests);
    this.templates = new Templates(requests);
    this.toolInvocations = new ToolInvocations(requests);
    this.tools = new Tools(requests);
    this.webhooks = new Webhooks(requests);
    this.workspace = new Workspace(requests);
  }
}
