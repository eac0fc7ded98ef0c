/** The actions of the audit. The part before the dot is the kind of the target. An action is never renamed. */
export const AUDIT_ACTIONS = [
  'agent.created',
  'agent.updated',
  'agent.version_restored',
  'agent.deleted',
  'agent.phone_number_assigned',
  'knowledge_base.created',
  'knowledge_base.deleted',
  'knowledge_base.sources_added',
  'knowledge_base.source_replaced',
  'knowledge_base.source_deleted',
  'knowledge_base.assigned',
  'knowledge_base.unassigned',
  'prompt_template.created',
  'prompt_template.deleted',
  'phone_number.added',
  'phone_number.released',
  'call.started',
  'call.hang_up_requested',
  'campaign.created',
  'campaign.updated',
  'campaign.paused',
  'campaign.resumed',
  'campaign.cancelled',
  'campaign.recipient_removed',
  'do_not_call.added',
  'do_not_call.imported',
  'do_not_call.removed',
  'erasure.requested',
  'api_key.created',
  'api_key.revoked',
  'token.issued',
  'token.all_revoked',
  'session.link_created',
  'session.link_revoked',
  'session.started',
  'session.ended',
  'webhook_secret.rotated',
  'workspace.created',
  'workspace.suspended',
  'workspace.resumed',
  'workspace.subscription_set',
  'workspace.quota_set',
  'workspace.retention_set',
  'workspace.credits_granted',
  'workspace.demo_data_added',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export type TargetKind = AuditAction extends `${infer Kind}.${string}` ? Kind : never;

export const getTargetKind = (action: AuditAction) => action.replace(/\..*$/, '') as TargetKind;

export const TARGET_KINDS = [...new Set(AUDIT_ACTIONS.map(getTargetKind))];
