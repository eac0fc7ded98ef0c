import { allValues } from '../../api/all-values';
import type { Schemas } from '../../api/client';
import type { Filter } from '../../ui/filters/filter-form';
import { texts } from '../../texts';
import { actionText } from './audit-text';

type Entry = Schemas['AuditEntryDto'];

const ACTIONS = allValues<Entry['action']>({
  'agent.created': true,
  'agent.updated': true,
  'agent.version_restored': true,
  'agent.deleted': true,
  'agent.phone_number_assigned': true,
  'agent.prompt_tried': true,
  'knowledge_base.created': true,
  'knowledge_base.deleted': true,
  'knowledge_base.sources_added': true,
  'knowledge_base.source_replaced': true,
  'knowledge_base.source_deleted': true,
  'knowledge_base.assigned': true,
  'knowledge_base.unassigned': true,
  'prompt_template.created': true,
  'prompt_template.deleted': true,
  'tool.created': true,
  'tool.updated': true,
  'tool.deleted': true,
  'tool.tested': true,
  'rehearsal.created': true,
  'rehearsal.updated': true,
  'rehearsal.deleted': true,
  'rehearsal.imported': true,
  'tool_invocation.resolved': true,
  'tool_invocation.resent': true,
  'phone_number.added': true,
  'phone_number.released': true,
  'call.started': true,
  'call.hang_up_requested': true,
  'call.listened_to': true,
  'campaign.created': true,
  'campaign.updated': true,
  'campaign.paused': true,
  'campaign.resumed': true,
  'campaign.cancelled': true,
  'campaign.recipient_removed': true,
  'do_not_call.added': true,
  'do_not_call.imported': true,
  'do_not_call.removed': true,
  'note.changed': true,
  'erasure.requested': true,
  'api_key.created': true,
  'api_key.revoked': true,
  'token.issued': true,
  'token.all_revoked': true,
  'session.link_created': true,
  'session.link_revoked': true,
  'session.started': true,
  'session.ended': true,
  'person.invited': true,
  'person.joined': true,
  'person.identity_linked': true,
  'person.updated': true,
  'person.link_created': true,
  'person.removed': true,
  'webhook.dismissed': true,
  'webhook_secret.rotated': true,
  'workspace.created': true,
  'workspace.suspended': true,
  'workspace.resumed': true,
  'workspace.subscription_set': true,
  'workspace.quota_set': true,
  'workspace.retention_set': true,
  'workspace.credits_granted': true,
  'workspace.demo_data_added': true,
});

const ACTOR_KINDS = allValues<Entry['actor']['kind']>({
  key: true,
  token: true,
  session: true,
  person: true,
  operator: true,
  runtime: true,
});

const TARGET_KINDS = allValues<Entry['target']['kind']>({
  agent: true,
  knowledge_base: true,
  prompt_template: true,
  tool: true,
  tool_invocation: true,
  rehearsal: true,
  phone_number: true,
  call: true,
  campaign: true,
  do_not_call: true,
  note: true,
  erasure: true,
  api_key: true,
  token: true,
  session: true,
  person: true,
  webhook: true,
  webhook_secret: true,
  workspace: true,
});

const { fields } = texts.settings.audit;

const toChoices = (values: string[]) => values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

/** The filters of the API. */
export const AUDIT_FILTERS: Filter[] = [
  {
    name: 'action',
    label: fields.action,
    choices: ACTIONS.map((value) => ({ value, label: actionText(value) })),
  },
  { name: 'actor_kind', label: fields.actor_kind, choices: toChoices(ACTOR_KINDS) },
  { name: 'target_kind', label: fields.target_kind, choices: toChoices(TARGET_KINDS) },
  { name: 'start_date', label: fields.start_date, type: 'datetime-local' },
  { name: 'end_date', label: fields.end_date, type: 'datetime-local' },
  { name: 'actor_id', label: fields.actor_id, isRare: true },
  { name: 'target_id', label: fields.target_id, isRare: true },
  { name: 'request_id', label: fields.request_id, isRare: true },
  { name: 'ip', label: fields.ip, isRare: true },
];
